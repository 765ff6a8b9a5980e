import { shellCall, textCall, toolFor } from "./agent-tools.ts";
import type { Ask } from "./ask.ts";
import { arrayOf, isObject, type Json } from "./json.ts";
import type { SimRequest } from "./request.ts";
import type { Script, Step } from "./script.ts";

/** What an agent is made to do: read a file, write what it found there into another one, run a command, finish. */
export interface AgentTask {
  /** The agent's working directory, as an absolute path. */
  directory: string;
  /** A file in it. */
  read: string;
  /** What is to be found in the file; the first match in the tool's result is written into `write`. */
  find: RegExp;
  /** A file that is not there yet. */
  write: string;
  /** A line of shell. */
  command: string;
  /** The last answer. */
  finalText: string;
}

/**
 * Plays the model behind an agent by the agent's own tools: the next step follows from how many results the request
 * bears, so that requests may be sent again and come from several conversations. Requests that offer none of the
 * tools (a title, a summary) are left to the sandbox.
 */
export function agentScript(task: AgentTask): (request: SimRequest) => ((ask: Ask) => Script) | undefined {
  return (request) => (ask) => {
    const results = toolResults(request.json);
    const call = nextCall(task, ask, results);
    if (call === "none-offered") return {};
    const thoughts = thought(ask, `Step ${results.length + 1}.`);
    const rest: Step[] = call ? [{ kind: "text", text: "Next." }, call] : [{ kind: "text", text: task.finalText }];
    return { steps: [...thoughts, ...rest] };
  };
}

/** Models think also where nobody asked for it, but those of Messages. */
function thought(ask: Ask, text: string): Step[] {
  const { on, visible } = ask.reasoning;
  return on || ask.protocol !== "messages" ? [{ kind: "reasoning", text, hidden: !visible }] : [];
}

function nextCall(task: AgentTask, ask: Ask, results: readonly string[]): Step | "none-offered" | undefined {
  const shell = toolFor("shell", ask.tools);
  if (!shell) return "none-offered";
  const path = (name: string) => `${task.directory}/${name}`;
  switch (results.length) {
    case 0: {
      const read = toolFor("read", ask.tools);
      return read ? textCall(read, { path: path(task.read) }) : shellCall(shell, `cat ${task.read}`, task.directory);
    }
    case 1: {
      const found = task.find.exec(results[0] ?? "")?.[0] ?? "(nothing was read)";
      const write = toolFor("write", ask.tools);
      if (write) return textCall(write, { path: path(task.write), content: `${found}\n`, name: task.write });
      return shellCall(shell, `printf '%s\\n' '${found}' > ${task.write}`, task.directory);
    }
    case 2:
      return shellCall(shell, task.command, task.directory);
    default:
      return undefined;
  }
}

/** The text of each tool result of a conversation, in order; one function for the shapes of all four protocols. */
function toolResults(json: Json | undefined): string[] {
  if (Array.isArray(json)) return json.flatMap(toolResults);
  if (!isObject(json)) return [];
  if (isResult(json.role) || isResult(json.type)) return [JSON.stringify(json.content ?? json.output ?? "")];
  if (json.functionResponse !== undefined) return [JSON.stringify(json.functionResponse)];
  const { messages, input, contents, content, parts } = json;
  return [messages, input, contents, content, parts].flatMap((value) => toolResults(arrayOf(value)));
}

function isResult(word: Json | undefined): boolean {
  return word === "tool" || word === "tool_result" || (typeof word === "string" && word.endsWith("_call_output"));
}
