import { signsAlways } from "../answer.ts";
import { badRequest, type Failure } from "../failure.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { checkProof } from "../proof.ts";
import { PART_DATA } from "./fields.ts";
import { violation } from "./wording.ts";

interface Turn {
  index: number;
  role: string;
  parts: JsonObject[];
}

/** Judges the conversation as a whole (generate-content.md 3 and 11). */
export function conversationFailure(contents: JsonObject[], model: string, demand: boolean): Failure | undefined {
  if (contents.length === 0) return violation(["contents"], "contents is not specified");
  const turns = contents.map((content, index) => ({
    index,
    role: textOf(content.role) || "user",
    parts: objectsOf(content.parts),
  }));
  return (
    turns.map(turnFailure).find((failure) => failure !== undefined) ??
    pairingFailure(turns) ??
    signatureFailure(turns) ??
    (demand || signsAlways(model) ? demandedFailure(turns) : undefined)
  );
}

function turnFailure(turn: Turn): Failure | undefined {
  if (turn.role !== "user" && turn.role !== "model") return badRequest("Please use a valid role: user, model.");
  if (turn.parts.length === 0) {
    return violation(["contents", turn.index, "parts"], "contents.parts must not be empty.");
  }
  for (const [at, part] of turn.parts.entries()) {
    const data = Object.keys(PART_DATA).filter((name) => part[name] !== undefined && part[name] !== null);
    const path = ["contents", turn.index, "parts", at];
    if (data.length === 0) {
      return violation([...path, "data"], "required oneof field 'data' must have one initialized field");
    }
    if (data.length > 1) {
      return badRequest(
        `Invalid value at 'contents[${turn.index}].parts[${at}]' (oneof), oneof field 'data' is already set. Cannot set '${data[1]}'`,
      );
    }
    const wrongSide =
      part.functionCall !== undefined
        ? turn.role === "user"
        : part.functionResponse !== undefined && turn.role === "model";
    if (wrongSide) {
      return badRequest(
        part.functionCall === undefined
          ? "Please ensure that function response parts are sent with the role 'user'."
          : "Please ensure that function call parts are sent with the role 'model'.",
      );
    }
  }
  return undefined;
}

/** Consecutive contents of one role are one turn. */
function merged(turns: Turn[]): Turn[] {
  const result: Turn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (last && last.role === turn.role) last.parts = [...last.parts, ...turn.parts];
    else result.push({ ...turn });
  }
  return result;
}

const UNEQUAL =
  "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";

function pairingFailure(all: Turn[]): Failure | undefined {
  const turns = merged(all);
  if (turns[0]?.role === "model") {
    return badRequest("Please ensure that the first turn of a conversation is a user turn.");
  }
  for (const [position, turn] of turns.entries()) {
    const calls = dataOf(turn, "functionCall");
    const results = dataOf(turn, "functionResponse");
    const before = turns[position - 1];
    if (results.length > 0 && (!before || dataOf(before, "functionCall").length === 0)) {
      return badRequest("Please ensure that function response turn comes immediately after a function call turn.");
    }
    if (calls.length === 0) continue;
    const answers = dataOf(turns[position + 1], "functionResponse");
    if (answers.length !== calls.length) return badRequest(UNEQUAL);
    const failure = orderFailure(calls, answers);
    if (failure) return failure;
  }
  return undefined;
}

function dataOf(turn: Turn | undefined, name: string): JsonObject[] {
  return (turn?.parts ?? []).filter((part) => part[name] !== undefined).map((part) => objectOf(part[name]));
}

/** Results pair with calls by id where both have one, else by order; names must agree. */
function orderFailure(calls: JsonObject[], answers: JsonObject[]): Failure | undefined {
  for (const [at, answer] of answers.entries()) {
    const byId = answer.id === undefined ? undefined : calls.find((call) => call.id === answer.id);
    const idsGiven = answer.id !== undefined && calls.every((call) => call.id !== undefined);
    const call = idsGiven ? byId : calls[at];
    if (call && call.name === answer.name) continue;
    return badRequest(
      `Please ensure that function response parts match the function call parts of the function call turn: '${textOf(answer.name)}' answers no call at its place.`,
    );
  }
  return undefined;
}

const BYPASS = ["skip_thought_signature_validator", "context_engineering_is_the_way_to_go"];

/** The documented strings that stand for "there is no signature", as given or in base64. */
function isBypass(signature: string): boolean {
  return BYPASS.includes(signature) || BYPASS.includes(Buffer.from(signature, "base64").toString("utf8"));
}

function signatureFailure(turns: Turn[]): Failure | undefined {
  for (const turn of turns) {
    for (const part of turn.parts) {
      if (typeof part.thoughtSignature !== "string" || isBypass(part.thoughtSignature)) continue;
      const call = objectOf(part.functionCall);
      const good =
        part.functionCall === undefined
          ? checkProof("thought-text", part.thoughtSignature, "").issued
          : checkProof("thought-call", part.thoughtSignature, textOf(call.name)).matches;
      if (!good) return badRequest("Corrupted thought signature.");
    }
  }
  return undefined;
}

/** In the current turn the first function call of each model step must be signed. */
function demandedFailure(turns: Turn[]): Failure | undefined {
  const isQuestion = (turn: Turn) => turn.role === "user" && dataOf(turn, "functionResponse").length === 0;
  const from = turns.findLastIndex(isQuestion) + 1;
  for (const turn of turns.slice(from)) {
    if (turn.role !== "model") continue;
    const first = turn.parts.findIndex((part) => part.functionCall !== undefined);
    const part = turn.parts[first];
    if (!part || part.thoughtSignature !== undefined) continue;
    return badRequest(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${textOf(objectOf(part.functionCall).name)}\` , position ${turn.index + 1}.`,
    );
  }
  return undefined;
}
