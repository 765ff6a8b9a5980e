import fc from "fast-check";
import type { Part, Turn } from "../canonical/index.ts";
import { textPart, toolCallPart, toolResultPart } from "./arbitrary-parts.ts";
import { callId, nastyName, text } from "./arbitrary-text.ts";

/** What a protocol's conversations may hold besides text. Absent: nothing of it. */
export interface ConversationOptions {
  /** Parts of user turns, for example images. */
  user?: fc.Arbitrary<Part>;
  /** Parts in front of an assistant turn's text and calls, for example reasoning. */
  reasoning?: fc.Arbitrary<Part>;
  customTools?: boolean;
  /** Media in tool results. */
  resultMedia?: fc.Arbitrary<Part>;
  /** Results may be errors. */
  resultErrors?: boolean;
  /** Results carry their tool's name. */
  resultNames?: boolean;
  /** Roles of leading system turns. */
  system?: readonly ("system" | "developer")[];
  /** No calls at all. */
  withoutTools?: boolean;
}

/** A well-formed conversation: system turns, then user and assistant in turn, results right behind their calls, a user turn last. */
export function conversation(options: ConversationOptions = {}): fc.Arbitrary<Turn[]> {
  const system = options.system ? fc.array(systemTurn(options.system), { maxLength: 2 }) : fc.constant<Turn[]>([]);
  return fc
    .tuple(system, userTurn(options), fc.array(exchange(options), { maxLength: 3 }))
    .map(([head, first, exchanges]) => [...head, first, ...distinct(exchanges).flat()]);
}

function systemTurn(roles: readonly ("system" | "developer")[]): fc.Arbitrary<Turn> {
  return fc.tuple(fc.constantFrom(...roles), textPart()).map(([role, part]) => ({ role, parts: [part] }));
}

function userTurn(options: ConversationOptions): fc.Arbitrary<Turn> {
  const part: fc.Arbitrary<Part> = options.user ? fc.oneof(textPart(), options.user) : textPart();
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({ role: "user", parts }));
}

/** An assistant turn and the user turn behind it. */
function exchange(options: ConversationOptions): fc.Arbitrary<Turn[]> {
  const plain = fc
    .tuple(lead(options), textPart(), userTurn(options))
    .map(([before, part, next]): Turn[] => [{ role: "assistant", parts: [...before, part] }, next]);
  if (options.withoutTools) return plain;
  const withCalls = fc
    .tuple(
      lead(options),
      fc.array(textPart(), { maxLength: 1 }),
      fc.uniqueArray(toolCallPart(options.customTools ? { custom: true } : {}), {
        minLength: 1,
        maxLength: 3,
        selector: (call) => call.callId,
      }),
    )
    .chain(([before, texts, calls]) =>
      fc.tuple(...calls.map((call) => toolResultPart(call, resultOptions(options)))).map((results): Turn[] => [
        { role: "assistant", parts: [...before, ...texts, ...calls] },
        { role: "user", parts: results },
      ]),
    );
  return fc.oneof(plain, withCalls);
}

function lead(options: ConversationOptions): fc.Arbitrary<Part[]> {
  return options.reasoning ? fc.array(options.reasoning, { maxLength: 1 }) : fc.constant([]);
}

function resultOptions(options: ConversationOptions): Parameters<typeof toolResultPart>[1] {
  return {
    ...(options.resultMedia ? { media: options.resultMedia } : {}),
    ...(options.resultErrors ? { isError: true } : {}),
    ...(options.resultNames ? { name: true } : {}),
  };
}

/** Ids are unique in a conversation. */
function distinct(exchanges: Turn[][]): Turn[][] {
  return exchanges.map((turns, index) =>
    turns.map((turn) => ({
      ...turn,
      parts: turn.parts.map((part) =>
        part.type === "tool-call" || part.type === "tool-result" ? { ...part, callId: `${part.callId}${index}` } : part,
      ),
    })),
  );
}

/** Any turns at all: orphan calls and results, double and missing ids, empty turns, system turns anywhere. */
export function brokenConversation(): fc.Arbitrary<Turn[]> {
  const id = fc.oneof(fc.constantFrom("", "a", "b", "c", "a_2"), callId());
  const name = fc.oneof(fc.constantFrom("read", "write"), nastyName());
  const call = fc.record({
    type: fc.constant("tool-call" as const),
    callId: id,
    name,
    toolKind: fc.constant("function" as const),
    arguments: fc.constantFrom("{}", "", "{", "1"),
  });
  const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };
  const content: fc.Arbitrary<Part> = fc.oneof(
    text().map((value): Part => ({ type: "text", text: value })),
    fc.constant(image),
  );
  const result = fc.record(
    {
      type: fc.constant("tool-result" as const),
      callId: id,
      name,
      toolKind: fc.constant("function" as const),
      content: fc.array(content, { maxLength: 2 }),
    },
    { requiredKeys: ["type", "callId", "toolKind", "content"], noNullPrototype: true },
  );
  const assistant = fc
    .array(fc.oneof(content, call), { maxLength: 4 })
    .map((parts): Turn => ({ role: "assistant", parts }));
  const user = fc.array(fc.oneof(content, result), { maxLength: 4 }).map((parts): Turn => ({ role: "user", parts }));
  const named = fc.tuple(user, fc.constantFrom("Ada", "Bob")).map(([turn, who]): Turn => ({ ...turn, name: who }));
  const system = fc.array(content, { maxLength: 2 }).map((parts): Turn => ({ role: "system", parts }));
  return fc.array(fc.oneof(assistant, user, assistant, user, named, system), { maxLength: 8 });
}
