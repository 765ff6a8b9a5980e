import type { Finish } from "./finish.ts";
import type { Part } from "./part.ts";
import type { Extras } from "./protocol.ts";
import type { Usage } from "./usage.ts";

/** One answer of the model. */
export interface Candidate {
  /** 0, 1, 2, … without a gap. */
  index: number;
  parts: Part[];
  finish: Finish;
  extras?: Extras;
}

/** A whole answer. */
export interface CanonicalResponse {
  /** The upstream's id for it. */
  id?: string;
  /** The model as the upstream names it. */
  model?: string;
  /** Unix seconds. */
  createdAt?: number;
  /** At least one. A prompt that was blocked is one candidate without parts that finished by `filter`. */
  candidates: Candidate[];
  usage?: Usage;
  serviceTier?: string;
  extras?: Extras;
}
