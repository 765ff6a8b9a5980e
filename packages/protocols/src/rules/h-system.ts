import { ask, kept, type Row } from "./rule.ts";

const two = [
  { role: "system", content: "One." },
  { role: "system", content: "Two." },
];
const hi = { role: "user", content: "Hi" };

/** H1 to H3: system and developer turns. */
export const systemRows: readonly Row[] = [
  {
    id: "H1",
    says: "System texts at the start stand in the upstream's own place for them, in order, as many as they were.",
    kind: "request",
    asks: {
      C: ask("messages", { messages: [...two, hi] }),
      R: ask("input", { instructions: "One.", input: [{ role: "system", content: "Two." }, hi] }),
      M: ask("system", {
        system: [
          { type: "text", text: "One." },
          { type: "text", text: "Two." },
        ],
      }),
      G: ask("systemInstruction", { systemInstruction: { parts: [{ text: "One." }, { text: "Two." }] } }),
    },
    becomes: {
      C: kept({
        messages: [{ role: "system", content: "One." }, { role: "system", content: "Two." }, { role: "user" }],
      }),
      "M->C": kept({ messages: [{ role: "system", content: [{ text: "One." }, { text: "Two." }] }, { role: "user" }] }),
      "G->C": kept({ messages: [{ role: "system", content: [{ text: "One." }, { text: "Two." }] }, { role: "user" }] }),
      "M->R": kept({ input: [{ role: "system", content: [{ text: "One." }, { text: "Two." }] }, { role: "user" }] }),
      "G->R": kept({ input: [{ role: "system", content: [{ text: "One." }, { text: "Two." }] }, { role: "user" }] }),
      R: kept({ input: [{ role: "system" }, { role: "system" }, { role: "user" }] }),
      M: kept({ system: [{ text: "One." }, { text: "Two." }] }),
      G: kept({ systemInstruction: { parts: [{ text: "One." }, { text: "Two." }] } }),
    },
  },
];
