import { badRequest, type Failure } from "../failure.ts";
import { checkFields } from "../field-check.ts";
import { arrayOf, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import type { JudgeContext } from "../judge-context.ts";
import { conversationFailure } from "./conversation.ts";
import { COUNT_FIELDS, REQUEST_FIELDS } from "./fields.ts";
import { schemaFailure } from "./schema-rules.ts";
import { GENERATE_CONTENT_WORDING } from "./wording.ts";

/** Judges a normalised request as the provider would (generate-content.md 3 to 6, 11). */
export function validate(body: JsonObject, context: JudgeContext): Failure | undefined {
  return (
    checkFields(body, REQUEST_FIELDS, [], GENERATE_CONTENT_WORDING) ??
    configFailure(objectOf(body.generationConfig)) ??
    toolFailure(body) ??
    conversationFailure(objectsOf(body.contents), context.model, context.demandSignatures)
  );
}

/** Judges a token count. */
export function validateCount(body: JsonObject): Failure | undefined {
  return checkFields(body, COUNT_FIELDS, [], GENERATE_CONTENT_WORDING);
}

function configFailure(config: JsonObject): Failure | undefined {
  const thinking = objectOf(config.thinkingConfig);
  if (thinking.thinkingBudget !== undefined && thinking.thinkingLevel !== undefined) {
    return badRequest("You can only set only one of thinking budget and thinking level.");
  }
  const jsonSchema = config.responseJsonSchema ?? config._responseJsonSchema;
  if (config.responseSchema !== undefined && jsonSchema !== undefined) {
    return badRequest("Only one of response_schema and response_json_schema can be set.");
  }
  const wantsSchema = config.responseSchema !== undefined || jsonSchema !== undefined;
  const mime = config.responseMimeType;
  if (wantsSchema && mime !== "application/json" && mime !== "text/x.enum") {
    return badRequest(
      `* GenerateContentRequest.generation_config.response_mime_type: must be 'application/json' or 'text/x.enum' when a response schema is set, but got '${textOf(mime)}'.\n`,
    );
  }
  return schemaFailure(config.responseSchema, ["generationConfig", "responseSchema"]);
}

function toolFailure(body: JsonObject): Failure | undefined {
  const names: string[] = [];
  for (const [index, tool] of objectsOf(body.tools).entries()) {
    for (const [at, declaration] of objectsOf(tool.functionDeclarations).entries()) {
      const failure = declarationFailure(declaration, ["tools", index, "functionDeclarations", at]);
      if (failure) return failure;
      const name = textOf(declaration.name);
      if (names.includes(name)) return badRequest(`Duplicate function declaration found: ${name}`);
      names.push(name);
    }
  }
  return choiceFailure(objectOf(objectOf(body.toolConfig).functionCallingConfig), names);
}

function declarationFailure(declaration: JsonObject, path: (string | number)[]): Failure | undefined {
  if (declaration.parameters !== undefined && declaration.parametersJsonSchema !== undefined) {
    return badRequest(
      `Only one of parameters and parameters_json_schema can be set for function '${textOf(declaration.name)}'.`,
    );
  }
  return schemaFailure(declaration.parameters, [...path, "parameters"]);
}

function choiceFailure(config: JsonObject, names: string[]): Failure | undefined {
  const mode = textOf(config.mode);
  const allowed = arrayOf(config.allowedFunctionNames).map(textOf);
  if (names.length === 0 && (mode === "ANY" || mode === "VALIDATED")) {
    return badRequest("Function calling config is set without function_declarations.");
  }
  if (allowed.length > 0 && mode !== "ANY" && mode !== "VALIDATED") {
    return badRequest("Allowed function names should be set only when function calling mode is ANY.");
  }
  const missing = allowed.find((name) => !names.includes(name));
  return missing === undefined
    ? undefined
    : badRequest(`Allowed function name '${missing}' is not among the function declarations.`);
}
