import type { JsonObject } from "../canonical/index.ts";
import { absent, without } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type RequestRow, type Row, refused, unsaid } from "./rule.ts";

const only = none("only the responses protocol has it");
const onlyThreads = none("only the messages protocol has it");
const asked = (field: string, body: JsonObject): RequestRow["asks"] => ({
  C: only,
  R: ask(field, body),
  M: only,
  G: only,
});
const hi = { role: "user", content: "Hi" };
const refusedElsewhere: Row["becomes"] = { C: refused(), M: refused(), G: refused() };

/** R1 to R8: what only one protocol has, most of it the responses protocol. */
export const stateRows: readonly Row[] = [
  {
    id: "R1",
    says: "An earlier response that the gateway did not keep is refused by its id: never an answer without the history.",
    kind: "request",
    asks: asked("previous_response_id", { previous_response_id: "resp_1" }),
    becomes: refusedElsewhere,
  },
  {
    id: "R1",
    says: "So is a thread that the client would have its conversation held in, by the words on which its SDK sends all of it.",
    kind: "request",
    asks: { C: onlyThreads, R: onlyThreads, M: ask("thread", { thread: { type: "create" } }), G: onlyThreads },
    becomes: { C: refused(), R: refused(), G: refused() },
  },
  {
    id: "R2",
    says: "A wish to store the answer is left out where the upstream stores none; the gateway may keep it itself.",
    kind: "request",
    asks: {
      C: ask("store", { store: true }),
      R: ask("store", { store: true }),
      M: unsaid,
      G: none("the client's own store is a field that passes with it"),
    },
    becomes: {
      C: kept({ store: true }),
      R: kept({ store: true }),
      M: dropped({ store: absent }),
      G: dropped({ store: absent }),
    },
  },
  {
    id: "R2",
    says: "`store: false` is no wish; to say nothing is none either, though the responses protocol then stores.",
    kind: "request",
    asks: {
      C: ask("store", { store: false }),
      R: ask("store", { store: null }),
      M: ask("", {}),
      G: ask("", {}),
    },
    becomes: {
      C: kept({ store: absent }),
      R: kept({ store: false }),
      M: kept({ store: absent }),
      G: kept({ store: absent }),
    },
  },
  {
    id: "R3",
    says: "An answer in the background is refused: one in the foreground would be another thing.",
    kind: "request",
    asks: asked("background", { background: true }),
    becomes: refusedElsewhere,
  },
  {
    id: "R3",
    says: "A conversation that another service holds is refused.",
    kind: "request",
    asks: asked("conversation", { conversation: "conv_1" }),
    becomes: refusedElsewhere,
  },
  {
    id: "R3",
    says: "A prompt that another service holds is refused.",
    kind: "request",
    asks: asked("prompt", { prompt: { id: "pmpt_1" } }),
    becomes: refusedElsewhere,
  },
  {
    id: "R4",
    says: "A history that the service may cut by itself is refused.",
    kind: "request",
    asks: asked("truncation", { truncation: "auto" }),
    becomes: refusedElsewhere,
  },
  {
    id: "R4",
    says: "`truncation: disabled` and `background: false` are no wishes.",
    kind: "request",
    asks: asked("truncation", { truncation: "disabled", background: false }),
    becomes: {
      C: kept({ truncation: absent, background: absent }),
      M: kept({ truncation: absent, background: absent }),
      G: kept({ truncation: absent, background: absent }),
    },
  },
  {
    id: "R5",
    says: "An item that the gateway did not keep is refused where it stands.",
    kind: "request",
    asks: asked("input[0]", { input: [{ type: "item_reference", id: "msg_1" }, hi] }),
    becomes: refusedElsewhere,
  },
  {
    id: "R6",
    says: "A compacted history of OpenAI, which nobody else can read, is left out.",
    kind: "request",
    asks: asked("input[1]", { input: [hi, { type: "compaction", encrypted_content: "sealed" }, hi] }),
    becomes: {
      C: dropped({ messages: without("sealed") }),
      M: dropped({ messages: without("sealed") }),
      G: dropped({ contents: without("sealed") }),
    },
  },
  {
    id: "R7",
    says: "An input item of a kind that nobody knows is sent as its text.",
    kind: "request",
    asks: asked("input[0]", { input: [{ type: "new_thing", text: "words" }, hi] }),
    becomes: {
      C: approximated({ messages: [{ content: "words" }, { content: "Hi" }] }),
      M: approximated({ messages: [{ content: [{ text: "words" }, { text: "Hi" }] }] }),
      G: approximated({ contents: [{ parts: [{ text: "words" }, { text: "Hi" }] }] }),
    },
  },
  {
    id: "R7",
    says: "An input item of a kind that nobody knows, and without any text, is left out.",
    kind: "request",
    asks: asked("input[0]", { input: [{ type: "new_thing", payload: 7 }, hi] }),
    becomes: {
      C: dropped({ messages: [{ role: "user", content: "Hi" }] }),
      M: dropped({ messages: [{ role: "user", content: [{ text: "Hi" }] }] }),
      G: dropped({ contents: [{ role: "user", parts: [{ text: "Hi" }] }] }),
    },
  },
  {
    id: "R8",
    says: "What else an answer should include is left out.",
    kind: "request",
    asks: asked("include", { include: ["file_search_call.results"] }),
    becomes: { C: dropped({ include: absent }), M: dropped({ include: absent }), G: dropped({ include: absent }) },
  },
];
