import type { JsonObject, Verdict as NoticeVerdict } from "../canonical/index.ts";
import type { Letter, Path } from "../testing/letters.ts";
import type { Pattern } from "./pattern.ts";

/** What becomes of what a client asks for, or of what a model answers. `kept`: the same meaning, and no notice. */
export type Verdict = "kept" | NoticeVerdict | "refused";

/** A pair for which the rule has no meaning. */
export interface None {
  verdict: "none";
  /** Why, in a few words that complete "because …". */
  reason: string;
}

/** What a client writes to bring the rule about. */
export interface Ask {
  /** Fields beside those of the smallest body; the same field replaces, `generationConfig` is merged. */
  body: JsonObject;
  /** The field in the client's own words that a notice or a refusal names. */
  field: string;
}

/** What the pair makes of it. */
export interface Outcome {
  verdict: Verdict;
  /** What the upstream is sent (a row about answers: what the client gets). Absent for what is refused. */
  wire?: Pattern;
  /** The field that the notice or the refusal names, where it is another than the asker's. */
  field?: string;
  /** Further notices that this request cannot do without, by their field. */
  also?: Readonly<Record<string, NoticeVerdict>>;
  /** The upstream's model, where the rule asks for a certain one. */
  model?: string;
}

/** By upstream (in a row about answers: by client), and by pair where that is not enough: the pair's own word counts. */
type Outcomes = Partial<Record<Letter | Path, Outcome | None>>;

interface RowBase {
  /** The rule's name, for example `H5`. Rows with the same name are cases of one rule. */
  id: string;
  /** The rule in one plain sentence. */
  says: string;
}

/** What a client asks for, and what the upstream is sent. */
export interface RequestRow extends RowBase {
  kind: "request";
  asks: Readonly<Record<Letter, Ask | None>>;
  becomes: Outcomes;
}

/** What a model answers, and what the client gets, whole and in a stream. */
export interface AnswerRow extends RowBase {
  kind: "answer";
  /** What the client asked for, by client; absent: the smallest body. */
  asks?: Partial<Record<Letter, JsonObject>>;
  /** The upstream's whole answer, by upstream. Its stream is made of it. */
  answers: Readonly<Record<Letter, JsonObject | None>>;
  becomes: Outcomes;
}

export type Row = RequestRow | AnswerRow;

/** Rules that have to do with each other: one table of the page. */
export interface RuleGroup {
  title: string;
  rows: readonly Row[];
}

export const none = (reason: string): None => ({ verdict: "none", reason });
/** Most often a client cannot ask for it at all. */
export const unsaid = none("the client's protocol has no words for it");
export const ask = (field: string, body: JsonObject): Ask => ({ field, body });

type More = Omit<Outcome, "verdict" | "wire">;
const carried =
  (verdict: Verdict) =>
  (wire: Pattern, more: More = {}): Outcome => ({ verdict, wire, ...more });

/** The same meaning on the other side; nothing is told. */
export const kept = carried("kept");
/** The same result by other means, told. */
export const emulated = carried("emulated");
/** The nearest lawful value, told. */
export const approximated = carried("approximated");
/** Left out, told. The pattern says what must not be there. */
export const dropped = carried("dropped");
/** A 400 that names the field. */
export const refused = (more: More = {}): Outcome => ({ verdict: "refused", ...more });

/** The same for all four protocols. */
export const everywhere = <T>(value: T): Record<Letter, T> => ({ C: value, R: value, M: value, G: value });
