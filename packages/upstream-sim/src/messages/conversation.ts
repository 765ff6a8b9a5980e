import { badRequest, type Failure } from "../failure.ts";
import { type Json, type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";
import { checkProof } from "../proof.ts";

/** A message with its content as blocks and its position. */
interface Turn {
  index: number;
  role: string;
  blocks: JsonObject[];
}

/** Judges the conversation as a whole (messages.md 4 and 14). */
export function conversationFailure(body: JsonObject): Failure | undefined {
  const turns = objectsOf(body.messages).map((message, index) => ({
    index,
    role: textOf(message.role),
    blocks: blocksOf(message.content),
  }));
  return (
    shapeFailure(turns) ??
    turns.map(blockFailure).find((failure) => failure !== undefined) ??
    pairingFailure(turns) ??
    thinkingLoopFailure(turns, objectOf(body.thinking)) ??
    prefillFailure(turns, body)
  );
}

/** Content as blocks; text is one text block. */
export function blocksOf(content: Json | undefined): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsOf(content);
}

function shapeFailure(turns: Turn[]): Failure | undefined {
  if (turns[0]?.role !== "user") return badRequest('messages: first message must use the "user" role');
  for (const turn of turns) {
    const isLast = turn.index === turns.length - 1;
    const empty = turn.blocks.length === 0 || (turn.blocks.length === 1 && turn.blocks[0]?.text === "");
    if (empty && !(isLast && turn.role === "assistant")) {
      return turn.blocks.length === 0
        ? badRequest(
            `messages.${turn.index}: all messages must have non-empty content except for the optional final assistant message`,
          )
        : badRequest("messages: text content blocks must be non-empty");
    }
  }
  return undefined;
}

const PLACES: Record<string, string> = {
  thinking: "assistant",
  redacted_thinking: "assistant",
  tool_use: "assistant",
  server_tool_use: "assistant",
  tool_result: "user",
  image: "user",
  container_upload: "user",
};

const SYSTEM_BLOCKS = new Set(["text", "tool_addition", "tool_removal"]);

function blockFailure(turn: Turn): Failure | undefined {
  for (const [at, block] of turn.blocks.entries()) {
    const type = textOf(block.type);
    const place = PLACES[type];
    if (place !== undefined && place !== turn.role) {
      return badRequest(`messages.${turn.index}: \`${type}\` blocks can only be in \`${place}\` messages`);
    }
    if (turn.role === "system" && !SYSTEM_BLOCKS.has(type)) {
      return badRequest(`messages.${turn.index}: \`system\` messages can only hold \`text\` blocks`);
    }
    if (type === "text" && block.text === "") return badRequest("messages: text content blocks must be non-empty");
    const failure = proofFailure(block, `messages.${turn.index}.content.${at}`);
    if (failure) return failure;
  }
  return undefined;
}

function proofFailure(block: JsonObject, path: string): Failure | undefined {
  if (block.type === "redacted_thinking") {
    const { issued } = checkProof("redacted", textOf(block.data), "");
    return issued ? undefined : badRequest(`${path}: Invalid \`data\` in \`redacted_thinking\` block`);
  }
  if (block.type !== "thinking") return undefined;
  const verdict = checkProof("thinking", textOf(block.signature), textOf(block.thinking));
  // With `display: "omitted"` the text is empty and only the signature carries the thinking.
  const good = block.thinking === "" ? verdict.issued : verdict.matches;
  return good ? undefined : badRequest(`${path}: Invalid \`signature\` in \`thinking\` block`);
}

/** Consecutive messages of one role are one turn for the pairing of calls and results. */
function merged(turns: Turn[]): Turn[] {
  const result: Turn[] = [];
  for (const turn of turns) {
    const last = result.at(-1);
    if (last && last.role === turn.role) last.blocks = [...last.blocks, ...turn.blocks];
    else result.push({ ...turn });
  }
  return result;
}

function pairingFailure(all: Turn[]): Failure | undefined {
  const turns = merged(all.filter((turn) => turn.role !== "system"));
  const seen = new Set<string>();
  for (const [position, turn] of turns.entries()) {
    const failure =
      turn.role === "user" ? orphanFailure(turn, turns[position - 1]) : callFailure(turn, turns[position + 1], seen);
    if (failure) return failure;
  }
  return undefined;
}

function orphanFailure(turn: Turn, before: Turn | undefined): Failure | undefined {
  const called = new Set(callIds(before));
  for (const [at, block] of turn.blocks.entries()) {
    if (block.type !== "tool_result" || called.has(textOf(block.tool_use_id))) continue;
    return badRequest(
      `messages.${turn.index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${textOf(block.tool_use_id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
    );
  }
  return undefined;
}

function callFailure(turn: Turn, after: Turn | undefined, seen: Set<string>): Failure | undefined {
  const ids = callIds(turn);
  for (const id of ids) {
    if (seen.has(id)) return badRequest("messages: `tool_use` ids must be unique");
    seen.add(id);
  }
  if (ids.length === 0) return undefined;
  const results = leadingResults(after);
  const twice = results.find((id, at) => results.indexOf(id) !== at);
  if (twice !== undefined) {
    return badRequest(
      `messages.${after?.index}.content: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`,
    );
  }
  const open = ids.filter((id) => !results.includes(id));
  if (open.length === 0) return undefined;
  return badRequest(
    `messages.${turn.index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
  );
}

function callIds(turn: Turn | undefined): string[] {
  return (turn?.blocks ?? []).filter((block) => block.type === "tool_use").map((block) => textOf(block.id));
}

/** The results that stand before anything else in a user turn: later ones do not count. */
function leadingResults(turn: Turn | undefined): string[] {
  const blocks = turn?.blocks ?? [];
  const end = blocks.findIndex((block) => block.type !== "tool_result");
  return blocks.slice(0, end === -1 ? blocks.length : end).map((block) => textOf(block.tool_use_id));
}

/** With manual thinking, the assistant turn of a running tool loop starts with its thinking. */
function thinkingLoopFailure(turns: Turn[], thinking: JsonObject): Failure | undefined {
  if (thinking.type !== "enabled") return undefined;
  const loop = turns.filter((turn) => turn.role !== "system");
  if (!loop.at(-1)?.blocks.some((block) => block.type === "tool_result")) return undefined;
  const last = loop.findLast((turn) => turn.role === "assistant");
  const first = textOf(last?.blocks[0]?.type);
  if (!last || first === "thinking" || first === "redacted_thinking") return undefined;
  return badRequest(
    `messages.${last.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). To avoid this requirement, disable \`thinking\`.`,
  );
}

function prefillFailure(turns: Turn[], body: JsonObject): Failure | undefined {
  const last = turns.at(-1);
  if (last?.role !== "assistant") return undefined;
  if (objectOf(body.output_config).format || objectOf(body.thinking).type === "enabled") {
    return badRequest("messages: prefilling the assistant response is not supported with these settings");
  }
  if (/\s$/.test(textOf(last.blocks.at(-1)?.text))) {
    return badRequest("messages: final assistant content cannot end with trailing whitespace");
  }
  return undefined;
}
