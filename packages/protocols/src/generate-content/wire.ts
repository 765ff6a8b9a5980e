import type {
  BlockedReason,
  Candidate,
  Content,
  FinishReason,
  FunctionDeclaration,
  GenerateContentResponse,
  GenerationConfig,
  Part,
  Tool,
} from "@google/genai";

/**
 * The vendor's own types, as tables that must name every member: a new field or finish reason of the vendor fails our
 * type check instead of a user's call.
 */

/** Every finish reason, and those that servers send and the SDK does not list. */
export type WireFinishReason = `${FinishReason}` | "MISSING_THOUGHT_SIGNATURE" | "MODEL_ARMOR";

export type WireBlockReason = `${BlockedReason}`;

/** Fields of a part that the codec understands; others are kept as they are. */
export const partFields: ReadonlySet<string> = new Set<keyof Part>([
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
  "thought",
  "thoughtSignature",
]);

export const contentFields: ReadonlySet<string> = new Set<keyof Content>(["role", "parts"]);

type ConfigField =
  | keyof GenerationConfig
  | "_responseJsonSchema"
  | "thinkingConfig"
  | "imageConfig"
  | "generationOutputConfig"
  | "modelArmorConfig";

/** `generationConfig` members: `true` where the canonical model has a place, `false` where they are kept as they are. */
const configTable: Partial<Record<ConfigField, boolean>> & Record<keyof GenerationConfig, boolean> = {
  temperature: true,
  topP: true,
  topK: true,
  candidateCount: true,
  maxOutputTokens: true,
  stopSequences: true,
  seed: true,
  presencePenalty: true,
  frequencyPenalty: true,
  responseLogprobs: true,
  logprobs: true,
  responseMimeType: true,
  responseSchema: true,
  responseJsonSchema: true,
  _responseJsonSchema: true,
  thinkingConfig: true,
  responseModalities: true,
  responseFormat: false,
  speechConfig: false,
  mediaResolution: false,
  modelSelectionConfig: false,
  routingConfig: false,
  audioTimestamp: false,
  audioTranscriptionConfig: false,
  enableAffectiveDialog: false,
  enableEnhancedCivicAnswers: false,
  translationConfig: false,
};

export const configFields: ReadonlySet<string> = new Set(
  Object.entries(configTable).flatMap(([field, understood]) => (understood ? [field] : [])),
);

export const declarationFields: ReadonlySet<string> = new Set<keyof FunctionDeclaration>([
  "name",
  "description",
  "parameters",
  "parametersJsonSchema",
]);

/** Provider-run tools by their key in `tools[]`, in the field's words. An unknown key keeps its own name. */
export const serverToolNames: Readonly<Partial<Record<keyof Tool, string>>> = {
  googleSearch: "web_search",
  googleSearchRetrieval: "web_search",
  codeExecution: "code_execution",
  urlContext: "web_fetch",
  fileSearch: "file_search",
  googleMaps: "maps",
  computerUse: "computer_use",
  mcpServers: "mcp",
};

/** Members of a candidate that the canonical model carries; others stay beside it as extras. */
export const candidateFields: ReadonlySet<string> = new Set<keyof Candidate>([
  "content",
  "finishReason",
  "finishMessage",
  "index",
]);

export const responseFields: ReadonlySet<string> = new Set<keyof GenerateContentResponse>([
  "candidates",
  "modelVersion",
  "responseId",
  "usageMetadata",
]);

export { absentSignature, isAbsentSignature } from "../shared/absent-signature.ts";

/** The mark under which settings of the safety filter are kept that turn all of it off: no wish for other protocols (P22). */
export const openFilterKey = "$safetySettings";
