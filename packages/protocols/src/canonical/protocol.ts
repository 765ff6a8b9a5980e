import type { JsonObject } from "./json.ts";

/** The request protocols, in the order in which tables show them. */
export const protocolNames = ["chat-completions", "responses", "messages", "generate-content"] as const;

/** One of them. */
export type ProtocolName = (typeof protocolNames)[number];

/** Who made an opaque payload or a file handle. Compatible servers may bring names of their own. */
export type Family = "openai" | "anthropic" | "gemini" | (string & {});

/**
 * Fields a decoder read but that have no canonical meaning, by the protocol that spelt them.
 * The encoder of the same protocol writes them back; for any other protocol each key becomes a notice.
 */
export type Extras = Partial<Record<ProtocolName, JsonObject>>;

/** Common to everything that came from a place in the client's body. */
export interface Located {
  /** Where the client wrote it, for example `messages[2].content[0]`. Names the field in errors and notices. */
  at?: string;
  extras?: Extras;
}
