import type { JsonObject, ProtocolName } from "@interlingua/protocols";

// biome-ignore lint/suspicious/noExplicitAny: bodies of four protocols are read here as they lie on the wire
export type Wire = any;

/** Something for each protocol that has it. */
export type PerProtocol<T> = Partial<Record<ProtocolName, T>>;

/**
 * Something a caller can ask for. `ask` holds the fields that say it in each client protocol (absent: the protocol has
 * no words for it); `seen` tells whether an upstream request says it.
 */
export interface RequestFeature {
  title: string;
  ask: PerProtocol<JsonObject>;
  /** A call that goes before, and what of its answer is asked for besides. */
  before?: { ask: JsonObject; goesOn: (answer: Wire) => JsonObject };
  seen: PerProtocol<(body: Wire) => boolean>;
}

/** The schema of what is asked for in JSON. */
export const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

/** Fields of the protocol's own configuration object. */
export const config = (fields: JsonObject): JsonObject => ({ generationConfig: fields });

const json = (body: Wire): string => JSON.stringify(body);

/** Whether a body holds a text anywhere. */
export const holds =
  (needle: string) =>
  (body: Wire): boolean =>
    json(body).includes(needle);

/** The same sight of every upstream. */
export const everywhere = (seen: (body: Wire) => boolean): PerProtocol<(body: Wire) => boolean> => ({
  "chat-completions": seen,
  responses: seen,
  messages: seen,
  "generate-content": seen,
});
