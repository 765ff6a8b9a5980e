import type { JsonObject, Proof } from "../canonical/index.ts";
import { plainVault } from "../shared/vault.ts";
import { absent, both, holding, without } from "./pattern.ts";
import { ask, dropped, kept, none, type RequestRow, type Row } from "./rule.ts";

const seal = (family: string, value: string, kind: Proof["kind"] = "signature"): string =>
  plainVault().seal({ family, kind, value });

const before = { role: "user", content: "a" };
const after = { role: "user", content: "c" };

/** A conversation whose answer was thought over: `thought`, with a proof in the client's own place for it. */
function reasoned(proof: string, more: Partial<Record<"C" | "R" | "M" | "G", JsonObject>> = {}): RequestRow["asks"] {
  return {
    C: ask("messages[1].reasoning_details[0]", {
      messages: [
        before,
        {
          role: "assistant",
          content: "b",
          reasoning_details: [{ type: "reasoning.text", text: "thought", signature: proof, index: 0 }],
        },
        after,
      ],
      ...more.C,
    }),
    R: ask("input[1]", {
      input: [
        before,
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "thought" }],
          encrypted_content: proof,
        },
        { role: "assistant", content: [{ type: "output_text", text: "b" }] },
        after,
      ],
      ...more.R,
    }),
    M: ask("messages[1].content[0]", {
      messages: [
        before,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "thought", signature: proof },
            { type: "text", text: "b" },
          ],
        },
        after,
      ],
      ...more.M,
    }),
    G: ask("contents[1].parts[0]", {
      contents: [
        { role: "user", parts: [{ text: "a" }] },
        {
          role: "model",
          parts: [
            { text: "thought", thought: true },
            { text: "b", thoughtSignature: proof },
          ],
        },
        { role: "user", parts: [{ text: "c" }] },
      ],
      ...more.G,
    }),
  };
}

const plain: RequestRow["asks"] = {
  ...reasoned("c2lnbmVkIGJ5IGl0cyBvd24="),
  C: ask("messages[1].reasoning_content", {
    messages: [before, { role: "assistant", content: "b", reasoning_content: "thought" }, after],
  }),
};

const foreign = "signed-by-anthropic";
const claudes = reasoned(seal("anthropic", foreign));
const openAis = reasoned(seal("openai", "sealed-by-openai", "encrypted"));
const geminis = reasoned(seal("gemini", "c2VhbGVkIGJ5IGdlbWluaQ=="));
const gpt = { model: "gpt-5.2" };
const claude = { model: "claude-opus-4-6" };

/** E3 to E6: reasoning of earlier turns on its way back to a model. */
export const reasoningHistoryRows: readonly Row[] = [
  {
    id: "E3",
    says: "Reasoning that another provider's model wrote is left out where the upstream reads only what it proved itself.",
    kind: "request",
    asks: plain,
    becomes: {
      C: dropped({ messages: without("thought", "c2lnbmVk") }, gpt),
      R: dropped({ input: without("thought", "c2lnbmVk") }, gpt),
      M: dropped({ messages: without("thought", "c2lnbmVk") }, claude),
      G: kept({ contents: both(holding('"thought":true'), without("c2lnbmVk")) }),
    },
  },
  {
    id: "E3",
    says: "A proof that a client of another protocol carried for the messages protocol comes back to it word for word.",
    kind: "request",
    asks: claudes,
    becomes: {
      C: dropped({ messages: without(foreign, "thought") }, gpt),
      R: dropped({ input: without(foreign, "thought") }, gpt),
      M: kept(
        {
          messages: [
            {},
            { content: [{ type: "thinking", thinking: "thought", signature: foreign }, { text: "b" }] },
            {},
          ],
        },
        claude,
      ),
      "G->M": kept({ messages: holding(`"signature":"${foreign}"`) }, claude),
      G: kept({ contents: without(foreign) }),
    },
  },
  {
    id: "E3",
    says: "A proof that a client of another protocol carried for the responses protocol comes back to it word for word.",
    kind: "request",
    asks: { ...openAis, R: none("the proof is the client's own there") },
    becomes: {
      C: dropped({ messages: without("sealed-by-openai", "thought") }, gpt),
      R: kept({ input: holding('"encrypted_content":"sealed-by-openai"') }, gpt),
      M: dropped({ messages: without("sealed-by-openai", "thought") }, claude),
      G: kept({ contents: without("sealed-by-openai") }),
    },
  },
  {
    id: "E3",
    says: "A proof that a client of another protocol carried for generateContent comes back to it word for word.",
    kind: "request",
    asks: { ...geminis, G: none("the proof is the client's own there") },
    becomes: {
      C: dropped({ messages: without("c2VhbGVk", "thought") }, gpt),
      R: dropped({ input: without("c2VhbGVk", "thought") }, gpt),
      M: dropped({ messages: without("c2VhbGVk", "thought") }, claude),
      G: kept({ contents: holding('"thoughtSignature":"c2VhbGVkIGJ5IGdlbWluaQ=="') }),
    },
  },
  {
    id: "E4",
    says: "Reasoning without any text is only a proof: no other family is sent anything of it, and nothing is lost by that.",
    kind: "request",
    asks: {
      C: none("the client's protocol has no such reasoning"),
      R: ask("input[1]", {
        input: [
          before,
          { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sealed" },
          { role: "assistant", content: [{ type: "output_text", text: "b" }] },
          after,
        ],
      }),
      M: ask("messages[1].content[0]", {
        messages: [
          before,
          {
            role: "assistant",
            content: [
              { type: "redacted_thinking", data: "sealed" },
              { type: "text", text: "b" },
            ],
          },
          after,
        ],
      }),
      G: none("the client's protocol has no such reasoning"),
    },
    becomes: {
      C: kept({ messages: without("sealed") }, gpt),
      R: kept({ input: without("sealed") }, gpt),
      M: kept({ messages: without("sealed") }, claude),
      G: kept({ contents: without("sealed") }),
    },
  },
  {
    id: "E5",
    says: "Servers that want the text of earlier reasoning back get it, whoever's model wrote it.",
    kind: "request",
    asks: plain,
    becomes: {
      C: kept({ messages: [{}, { content: "b", reasoning_content: "thought" }, {}] }, { model: "deepseek-reasoner" }),
      R: none("no server of the protocol demands it"),
      M: none("no server of the protocol demands it"),
      G: none("no server of the protocol demands it"),
    },
  },
  {
    id: "E6",
    says: "A wish for no thinking leaves earlier reasoning alone that the messages protocol signed itself.",
    kind: "request",
    asks: {
      ...reasoned(seal("anthropic", foreign), {
        C: { reasoning_effort: "none" },
        R: { reasoning: { effort: "none" } },
        G: { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
      }),
      M: none("the proof is the client's own there"),
    },
    becomes: {
      C: dropped({ messages: without(foreign, "thought") }, gpt),
      R: dropped({ input: without(foreign, "thought") }, gpt),
      M: kept({ thinking: absent, messages: holding(`"signature":"${foreign}"`) }, claude),
      G: kept({ contents: without(foreign) }, { model: "gemini-2.5-flash" }),
    },
  },
];
