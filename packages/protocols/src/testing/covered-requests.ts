import fc from "fast-check";
import type { CanonicalRequest, Part, ProtocolName } from "../canonical/index.ts";
import { audioPart, documentPart, imagePart, reasoningPart, request, videoPart } from "./arbitraries.ts";

type Reasoning = NonNullable<CanonicalRequest["reasoning"]>;

/** Requests that a client of each protocol can write (covers(X) of conversion.md 6). */
export const requests: Record<ProtocolName, fc.Arbitrary<CanonicalRequest>> = {
  "chat-completions": request({
    conversation: {
      user: fc.oneof(
        imagePart(["base64", "url"], "openai"),
        documentPart(["base64"], "openai"),
        audioPart(["base64"], "openai"),
      ),
      system: ["system", "developer"],
      resultErrors: true,
    },
    customTools: true,
    sampling: ["temperature", "topP", "seed", "frequencyPenalty", "presencePenalty", "logitBias", "logprobs"],
    stopSequences: 4,
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<Reasoning>({ effort: "low" }, { effort: "high" }, { effort: "none" }),
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    candidates: true,
    parallelToolCalls: true,
    strict: true,
    verbosity: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>(
      {},
      { caller: { userId: "user-1" } },
      { cache: { key: "k" } },
      { serviceTier: "flex" },
    ),
  }),
  responses: request({
    conversation: {
      user: fc.oneof(imagePart(["base64", "url"], "openai"), documentPart(["base64", "url"], "openai")),
      reasoning: reasoningPart({ family: "openai", content: "summary", proof: "always", kind: "encrypted" }),
      resultMedia: imagePart(["base64"], "openai"),
      resultErrors: true,
      system: ["system", "developer"],
    },
    sampling: ["temperature", "topP", "logprobs"],
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<Reasoning>({ effort: "low" }, { effort: "max", show: "summary", summaryStyle: "auto" }),
    customTools: true,
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    parallelToolCalls: true,
    verbosity: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>(
      {},
      { maxToolCalls: 3 },
      { caller: { metadata: { a: "b" } } },
      { serviceTier: "priority" },
    ),
  }),
  messages: request({
    conversation: {
      user: fc.oneof(imagePart(["base64", "url"], "anthropic"), documentPart(["base64", "url", "text"], "anthropic")),
      reasoning: reasoningPart({ family: "anthropic", content: "text", proof: "always" }),
      resultMedia: imagePart(["base64"], "anthropic"),
      resultErrors: true,
      system: ["system"],
    },
    sampling: ["topP", "topK"],
    stopSequences: 6,
    reasoning: fc.constantFrom<Reasoning>({ adaptive: true, effort: "low" }, { budgetTokens: 2048 }),
    toolChoices: ["auto", "none", "required", "tool"],
    parallelToolCalls: true,
    maxOutputTokensRequired: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>({}, { caller: { userId: "user-1" } }),
  }),
  "generate-content": request({
    conversation: {
      user: fc.oneof<fc.Arbitrary<Part>[]>(
        imagePart(["base64"], "gemini"),
        audioPart(["base64"], "gemini"),
        videoPart(["base64"], "gemini"),
        documentPart(["base64"], "gemini"),
      ),
      resultMedia: imagePart(["base64"], "gemini"),
      resultErrors: true,
      resultNames: true,
      system: ["system"],
    },
    sampling: ["temperature", "topP", "topK", "seed", "frequencyPenalty", "presencePenalty", "logprobs"],
    stopSequences: 5,
    formats: ["json", "schema"],
    reasoning: fc.constantFrom<Reasoning>(
      { effort: "low" },
      { effort: "high", show: "summary" },
      { budgetTokens: 512 },
    ),
    toolChoices: ["none", "required", "tool"],
    candidates: true,
    more: fc.constantFrom<Partial<CanonicalRequest>>(
      {},
      { serviceTier: "flex" },
      { cache: { contentHandle: "cachedContents/a" } },
    ),
  }),
};
