import { type Notice, type Part, ProtocolError, type ToolResultPart, type Turn } from "../canonical/index.ts";
import { type HistoryRules, type RepairedHistory, repairHistory } from "../shared/history.ts";
import { Report } from "../shared/report.ts";

/** Keeps all that can be kept, as the OpenAI protocols do. */
export const lenient: HistoryRules = {
  midSystem: "keep",
  consecutiveSameRole: true,
  userFirst: false,
  prefill: "keep",
  emptyTextAllowed: true,
  assistantMedia: true,
  toolResultMedia: "keep",
  participantNames: true,
  phases: true,
};

/** Turns put in order by rules that are lenient up to those given, with what is told. */
export function repair(turns: Turn[], rules: Partial<HistoryRules> = {}): RepairedHistory & { notices: Notice[] } {
  const report = new Report();
  return { ...repairHistory(turns, { ...lenient, ...rules }, report), notices: report.notices };
}

/** A text. */
export const say = (text: string): Part => ({ type: "text", text });

/** A picture. */
export const image: Part = { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } };

/** A call without arguments. */
export const call = (callId: string, name = "read"): Part => ({
  type: "tool-call",
  callId,
  name,
  toolKind: "function",
  arguments: "{}",
});

/** The result of a call. */
export const result = (callId: string, text = "ok", name?: string): ToolResultPart => ({
  type: "tool-result",
  callId,
  toolKind: "function",
  content: [say(text)],
  ...(name === undefined ? {} : { name }),
});

/** The place and the words of a refusal. */
export function refusal(work: () => unknown): { param: string | undefined; message: string } {
  try {
    work();
  } catch (cause) {
    if (cause instanceof ProtocolError) return { param: cause.error.param, message: cause.message };
    throw cause;
  }
  throw new Error("Nothing was refused.");
}
