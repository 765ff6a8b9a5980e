import type { JsonObject, JsonValue, Notice } from "./canonical/index.ts";
import type { UpstreamFailure } from "./codec.ts";

/** A request that was mended after its upstream refused it, and what is lost by that. */
export interface Mended {
  body: JsonObject;
  notices: Notice[];
}

/** A field of an upstream's request that it would not take. */
export interface RefusedField {
  /** As it stands in the body: `temperature`, `reasoning.effort`, `generationConfig.topK`. */
  path: string;
  /** Set where this value alone was refused: another one may be taken. */
  value?: JsonValue;
  /** Whether the same upstream refuses the same again. Not so where the field only did not fit to others of the call. */
  lasting: boolean;
}

/**
 * How a request of one protocol is mended after its upstream refused it. Pure, and on the wire body, so that it serves what
 * was converted and what the caller wrote alike.
 */
export interface RequestRepair {
  /**
   * Takes the proofs out of a request whose upstream refused one of them (conversion.md 2.5). Undefined where the refusal
   * is about something else, or there is none to take out.
   */
  withoutProofs(body: JsonObject, failure: UpstreamFailure): Mended | undefined;
  /**
   * The fields of the body that a refusal names, of those that only tune the answer or tell of the caller: samplers,
   * penalties, seed, effort and summary of reasoning, verbosity, service tier, metadata, user, cache keys and marks. Never
   * what the answer must be (messages, tools, formats, limits, stop sequences).
   */
  refusedFields(body: JsonObject, failure: UpstreamFailure): RefusedField[];
  /** The body without the field; undefined where it does not stand there with that value. */
  withoutField(body: JsonObject, field: RefusedField): JsonObject | undefined;
}
