import { absent } from "./pattern.ts";
import { ask, dropped, emulated, kept, none, type RequestRow, type Row, refused, unsaid } from "./rule.ts";

const user = (id: string): RequestRow["asks"] => ({
  C: ask("safety_identifier", { safety_identifier: id }),
  R: ask("safety_identifier", { safety_identifier: id }),
  M: ask("metadata.user_id", { metadata: { user_id: id } }),
  G: unsaid,
});

const pairs: RequestRow["asks"] = {
  C: ask("metadata", { metadata: { team: "blue" } }),
  R: ask("metadata", { metadata: { team: "blue" } }),
  M: none("the client's protocol has only an id of the end user there"),
  G: none("the client's protocol has labels instead"),
};

const long = "u".repeat(300);
const hash = /^[0-9a-f]{64}$/;

const safety = (threshold: string): RequestRow["asks"] => ({
  C: unsaid,
  R: unsaid,
  M: unsaid,
  G: ask("safetySettings", { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold }] }),
});

/** P18, P21, P22: who asks, and what only one provider knows. */
export const callerRows: readonly Row[] = [
  {
    id: "P18",
    says: "The end user's id goes to the field that the upstream has for it.",
    kind: "request",
    asks: user("user-7"),
    becomes: {
      C: kept({ safety_identifier: absent, user: "user-7" }),
      R: kept({ safety_identifier: "user-7" }),
      M: kept({ metadata: { user_id: "user-7" } }),
      G: dropped({ user: absent, labels: absent }),
    },
  },
  {
    id: "P18",
    says: "An id of the end user that is too long for the upstream goes as its SHA-256.",
    kind: "request",
    asks: { ...user(long), R: none("the client's protocol takes no id as long as that") },
    becomes: {
      C: emulated({ user: hash }),
      R: emulated({ safety_identifier: hash }),
      M: emulated({ metadata: { user_id: hash } }),
      G: dropped({ user: absent, labels: absent }),
    },
  },
  {
    id: "P18",
    says: "An id that is itself JSON, as agents send it, is an id like any other.",
    kind: "request",
    asks: user('{"session_id":"s-7"}'),
    becomes: {
      C: kept({ user: '{"session_id":"s-7"}' }),
      R: kept({ safety_identifier: '{"session_id":"s-7"}' }),
      M: kept({ metadata: { user_id: '{"session_id":"s-7"}' } }),
      G: dropped({ user: absent, labels: absent }),
    },
  },
  {
    id: "P18",
    says: "An id that looks like a person's address goes to the messages protocol as its SHA-256, because it refuses it.",
    kind: "request",
    asks: user("ann@example.com"),
    becomes: {
      C: kept({ user: "ann@example.com" }),
      R: kept({ safety_identifier: "ann@example.com" }),
      M: emulated({ metadata: { user_id: hash } }),
      G: dropped({ user: absent, labels: absent }),
    },
  },
  {
    id: "P18",
    says: "Pairs of metadata stay between the two protocols of OpenAI; chat completions takes them only with `store`.",
    kind: "request",
    asks: pairs,
    becomes: {
      C: dropped({ metadata: absent }),
      R: kept({ metadata: { team: "blue" } }),
      M: dropped({ metadata: absent }),
      G: dropped({ metadata: absent, labels: absent }),
    },
  },
  {
    id: "P21",
    says: "A handle on content that Gemini caches is refused elsewhere, because nobody else knows that content.",
    kind: "request",
    asks: { C: unsaid, R: unsaid, M: unsaid, G: ask("cachedContent", { cachedContent: "cachedContents/x" }) },
    becomes: { C: refused(), R: refused(), M: refused() },
  },
  {
    id: "P22",
    says: "Settings of Gemini's safety filter are left out elsewhere.",
    kind: "request",
    asks: safety("BLOCK_LOW_AND_ABOVE"),
    becomes: {
      C: dropped({ safetySettings: absent }),
      R: dropped({ safetySettings: absent }),
      M: dropped({ safetySettings: absent }),
    },
  },
  {
    id: "P22",
    says: "Safety filters that are all turned off ask for nothing that the others would do.",
    kind: "request",
    asks: safety("BLOCK_NONE"),
    becomes: {
      C: kept({ safetySettings: absent }),
      R: kept({ safetySettings: absent }),
      M: kept({ safetySettings: absent }),
    },
  },
];
