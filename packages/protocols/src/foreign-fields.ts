import { type CanonicalRequest, type Extras, type Part, type ProtocolName, refuse } from "./canonical/index.ts";
import { isObject } from "./shared/read.ts";
import type { Report } from "./shared/report.ts";

/** Forms of an answer that their own protocol alone can demand (J6): without them it would be another answer. */
const answerForms: ReadonlySet<string> = new Set(["response_format", "generationConfig.responseMimeType"]);

/** Fields that decoders read member by member: what they kept are the members that have no meaning elsewhere. */
const readByMember: ReadonlySet<string> = new Set(["thinking", "output_config", "metadata", "stream_options"]);

/**
 * Tells of every field that the client's decoder kept without understanding it and that the target cannot be sent
 * (law L26: no silent loss). A field at any level gives one notice with the client's own path. Keys that begin with `$`
 * are a codec's own marks for its way back, not fields of the client.
 */
export function reportForeignFields(request: CanonicalRequest, target: ProtocolName, report: Report): void {
  refuseThread(request, target);
  tell(request.extras, "", target, report);
  for (const turn of request.turns) {
    tell(turn.extras, turn.at, target, report);
    for (const part of turn.parts) tellPart(part, target, report);
  }
  for (const tool of request.tools) {
    tell(tool.extras, tool.at, target, report);
    if (tool.type !== "function" || tool.standsIn === undefined || tool.standsIn === target) continue;
    report.emulated(tool.at ?? "tools", `The tool '${tool.name}' is offered as a function with the same arguments.`);
  }
}

/**
 * A thread is a conversation that the servers of the messages protocol hold: its next request brings the new turn alone
 * (R1). By this code the vendor's SDK sends the whole conversation instead.
 */
function refuseThread({ extras }: CanonicalRequest, target: ProtocolName): void {
  const thread = extras?.messages?.thread;
  if (target === "messages" || thread === undefined || thread === null) return;
  const message = "'thread' cannot be used with this model: it holds no conversations. Send the whole conversation.";
  refuse("thread", message, "thread_unsupported_request");
}

function tellPart(part: Part, target: ProtocolName, report: Report): void {
  tell(part.extras, part.at, target, report);
  if (part.type === "tool-result") for (const inner of part.content) tellPart(inner, target, report);
}

function tell(extras: Extras | undefined, at: string | undefined, target: ProtocolName, report: Report): void {
  if (!extras) return;
  for (const [protocol, fields] of Object.entries(extras)) {
    if (protocol === target || !fields) continue;
    for (const [key, value] of Object.entries(fields)) {
      if (key.startsWith("$")) continue;
      if (answerForms.has(key)) {
        refuse(key, `'${key}' asks for a form of the answer that this model cannot give.`, "unsupported_parameter");
      }
      const field = at ? `${at}.${key}` : key;
      const members = readByMember.has(key) && isObject(value) ? Object.keys(value) : [];
      const places = members.length > 0 ? members.map((member) => `${field}.${member}`) : [field];
      for (const place of places) report.dropped(place, `The ${target} protocol has no such field.`);
    }
  }
}
