import type { JsonObject } from "../canonical/index.ts";
import { absent, type Pattern } from "./pattern.ts";
import { ask, kept, none, type Row, refused, unsaid } from "./rule.ts";

const config = (wish: JsonObject): JsonObject => ({ generationConfig: wish });

const wishes = {
  C: { logprobs: true, top_logprobs: 1 },
  R: { include: ["message.output_text.logprobs"], top_logprobs: 1 },
  G: config({ responseLogprobs: true, logprobs: 1 }),
} satisfies Record<string, JsonObject>;

const token: JsonObject = { token: "é", logprob: -0.25, bytes: [195, 169] };
const told: JsonObject = { ...token, top_logprobs: [token] };
const gives: Pattern = {
  token: "é",
  logprob: -0.25,
  bytes: [195, 169],
  top_logprobs: [{ token: "é", logprob: -0.25 }],
};
const chosen: JsonObject = { token: "é", logProbability: -0.25 };

/** P14: how sure a model was of each token. */
export const logprobRows: readonly Row[] = [
  {
    id: "P14",
    says: "Log probabilities are refused where no upstream of the protocol can give them.",
    kind: "request",
    asks: {
      C: ask("logprobs", wishes.C),
      R: ask("top_logprobs", wishes.R),
      M: unsaid,
      G: ask("generationConfig.responseLogprobs", wishes.G),
    },
    becomes: {
      C: kept({ logprobs: true, top_logprobs: 1 }),
      R: kept({ top_logprobs: 1, include: (value) => JSON.stringify(value).includes("output_text.logprobs") }),
      M: refused(),
      G: kept(config({ responseLogprobs: true, logprobs: 1 })),
    },
  },
  {
    id: "P14",
    says: "`logprobs: false` is no wish.",
    kind: "request",
    asks: {
      C: ask("logprobs", { logprobs: false }),
      R: unsaid,
      M: unsaid,
      G: ask("generationConfig.responseLogprobs", config({ responseLogprobs: false })),
    },
    becomes: {
      C: kept({ logprobs: absent }),
      R: kept({ top_logprobs: absent }),
      M: kept({ logprobs: absent }),
      G: kept({ generationConfig: { responseLogprobs: absent } }),
    },
  },
  {
    id: "P14",
    says: "Log probabilities of an answer come in the client's own form; the bytes of a token are worked out where they are missing.",
    kind: "answer",
    asks: wishes,
    answers: {
      C: {
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1,
        model: "x",
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: "é" },
            logprobs: { content: [told], refusal: null },
            finish_reason: "stop",
          },
        ],
      },
      R: {
        id: "resp_1",
        object: "response",
        created_at: 1,
        model: "x",
        status: "completed",
        output: [
          {
            type: "message",
            id: "msg_1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text: "é", annotations: [], logprobs: [told] }],
          },
        ],
      },
      M: none("the upstream gives none"),
      G: {
        responseId: "1",
        modelVersion: "x",
        candidates: [
          {
            index: 0,
            content: { role: "model", parts: [{ text: "é" }] },
            logprobsResult: { chosenCandidates: [chosen], topCandidates: [{ candidates: [chosen] }] },
            finishReason: "STOP",
          },
        ],
      },
    },
    becomes: {
      C: kept({ choices: [{ logprobs: { content: [gives] } }] }),
      R: kept({ output: [{ content: [{ logprobs: [gives] }] }] }),
      M: unsaid,
      G: kept({
        candidates: [{ logprobsResult: { chosenCandidates: [chosen], topCandidates: [{ candidates: [chosen] }] } }],
      }),
    },
  },
];
