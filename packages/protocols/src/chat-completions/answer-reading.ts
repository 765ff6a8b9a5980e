import type { CanonicalRequest, JsonObject } from "../canonical/index.ts";
import type { AnswerReading } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import type { ChatCapabilities } from "./capabilities.ts";

/** What the answer's decoder has to know of a request. `body`: the request as it is sent; `wire`: a tool's name in it. */
export function readingOf(
  { tools }: CanonicalRequest,
  body: JsonObject,
  { thoughtsInText }: ChatCapabilities,
  wire: (name: string) => string,
): AnswerReading {
  const toolNames = tools.flatMap((tool) => (tool.type === "server" ? [] : [wire(tool.name)]));
  // A template that is told not to think closes the tag that it would have left open.
  const thoughts = thoughtsInText === "open" && isThinkingOff(body) ? "tagged" : thoughtsInText;
  return {
    ...(toolNames.length > 0 ? { toolNames: new Set(toolNames) } : {}),
    ...(thoughts === "none" ? {} : { thoughts }),
  };
}

/** Whether the request turns thinking off by any of the switches that templates know, the caller's own among them. */
function isThinkingOff({ thinking, enable_thinking, chat_template_kwargs: kwargs }: JsonObject): boolean {
  if (enable_thinking === false || (isObject(thinking) && thinking.type === "disabled")) return true;
  return isObject(kwargs) && (kwargs.enable_thinking === false || kwargs.thinking === false);
}
