import type { ProtocolName } from "../canonical/index.ts";

/** Chat completions, responses, messages, generateContent: the short names of tests and tables. */
export type Letter = "C" | "R" | "M" | "G";

/** A client's protocol and an upstream's. */
export type Path = `${Letter}->${Letter}`;

export const letters: readonly Letter[] = ["C", "R", "M", "G"];

export const protocolOf: Readonly<Record<Letter, ProtocolName>> = {
  C: "chat-completions",
  R: "responses",
  M: "messages",
  G: "generate-content",
};
