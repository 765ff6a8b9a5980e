import { type Part, refuse, type Turn } from "../canonical/index.ts";
import { dropEmpties } from "./history/empties.ts";
import { moveAssistantMedia, moveResultMedia } from "./history/media.ts";
import { mergeTurns } from "./history/merge.ts";
import { applyNames } from "./history/names.ts";
import { pairResults } from "./history/pairing.ts";
import { tellPhases } from "./history/phases.ts";
import { applyPrefill } from "./history/prefill.ts";
import { foldMidSystem, splitSystem } from "./history/system.ts";
import { startWithUser } from "./history/user-first.ts";
import type { Report } from "./report.ts";

/** What a protocol demands of a conversation (conversion.md 2.1, H1 to H17, M10, T15). */
export interface HistoryRules {
  /**
   * `keep`: system turns stay where they are. `user-text`: one in mid-conversation becomes marked user text (H2).
   * `where-lawful`: so does one that stands where the messages protocol takes none.
   */
  midSystem: "keep" | "user-text" | "where-lawful";
  /** `false`: neighbours of one role are merged (H4). */
  consecutiveSameRole: boolean;
  /** The conversation must begin with a user turn (H15, H16). */
  userFirst: boolean;
  /** What becomes of an assistant turn at the end (H14). `keep`: less trailing white space. */
  prefill: "keep" | "refuse";
  /** `false`: empty texts and assistant turns are dropped, an empty user turn is refused (H13). */
  emptyTextAllowed: boolean;
  /** `false`: media in assistant turns moves to the next user turn (M10). */
  assistantMedia: boolean;
  /** `following-user-turn`: media leaves the results for the rest of their user turn (T15). */
  toolResultMedia: "keep" | "following-user-turn";
  /** `false`: participants' names become text, or go (H17). */
  participantNames: boolean;
  /** `false`: whether the assistant commented or answered is lost (H18). */
  phases: boolean;
  /** `keep`: the protocol writes parts that say again what stands elsewhere in the request. Absent: they go. */
  restated?: "keep";
}

/** A conversation that a protocol takes. */
export interface RepairedHistory {
  /** The system and developer turns that stood at the start (H1). */
  system: Turn[];
  /** The rest. Results always stand first in the user turn behind their calls, in the order of the calls (H5, H11). */
  turns: Turn[];
}

/**
 * Brings a conversation into the form that a protocol takes. Every change is a pure function of the input, so that a
 * replayed history is repaired alike on every turn (L6, L7), applied twice it changes nothing more (L5), and a well-formed
 * history comes out as the same objects (L18). Changes of meaning are notices; what cannot be repaired is refused.
 */
export function repairHistory(turns: readonly Turn[], rules: HistoryRules, report: Report): RepairedHistory {
  const split = splitSystem(rules.restated === "keep" ? turns : withoutRestated(turns));
  let rest = split.turns;
  const { midSystem } = rules;
  if (!rules.participantNames) rest = applyNames(rest, report);
  if (!rules.phases) tellPhases(rest, report);
  if (!rules.assistantMedia) rest = moveAssistantMedia(rest, report);
  if (midSystem !== "keep") rest = foldMidSystem(rest, midSystem, report);
  rest = mergeTurns(rest, !rules.consecutiveSameRole);
  rest = mergeTurns(pairResults(rest, report), !rules.consecutiveSameRole);
  if (rules.toolResultMedia === "following-user-turn") rest = moveResultMedia(rest, report);
  let system = split.system;
  if (!rules.emptyTextAllowed) {
    system = dropEmpties(system);
    rest = dropEmpties(rest);
    // A neighbour that went can leave a system turn in an unlawful place.
    if (midSystem !== "keep") rest = foldMidSystem(rest, midSystem, report);
    rest = mergeTurns(rest, !rules.consecutiveSameRole);
  }
  // An assistant turn at the start may have gone, and a system turn behind it now stands first.
  const late = splitSystem(rest);
  if (late.system.length > 0) ({ system, turns: rest } = { system: [...system, ...late.system], turns: late.turns });
  if (rules.userFirst) ({ system, turns: rest } = startWithUser(system, rest, report));
  if (system.length === 0 && rest.length === 0) refuse(undefined, "The conversation holds no message.");
  return { system, turns: applyPrefill(rest, rules.prefill, report) };
}

function withoutRestated(turns: readonly Turn[]): readonly Turn[] {
  const isRestated = (part: Part): boolean => part.type === "opaque" && part.restated === true;
  if (!turns.some((turn) => turn.parts.some(isRestated))) return turns;
  return turns.flatMap((turn) => {
    const parts = turn.parts.filter((part) => !isRestated(part));
    if (parts.length === turn.parts.length) return [turn];
    return parts.length === 0 ? [] : [{ ...turn, parts }];
  });
}
