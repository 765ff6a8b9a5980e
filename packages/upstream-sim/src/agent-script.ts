import { toolResults } from "./agent-results.ts";
import { shellCall, textCall, toolFor } from "./agent-tools.ts";
import type { Ask } from "./ask.ts";
import type { SimRequest } from "./request.ts";
import type { Script, Step } from "./script.ts";

/** What an agent is made to do: read files at once, write what it found there into another one, run a command, finish. */
export interface AgentTask {
  /** The agent's working directory, as an absolute path. */
  directory: string;
  /** Files in it, read by parallel calls. */
  read: readonly string[];
  /** A picture in it, read beside them by the tool that reads files. Left out: none. */
  look?: string;
  /** What is to be found in each file; the first match of each is written into `write`, a line each in the order of `read`. */
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
    const calls = nextCalls(task, ask, results);
    if (calls === "none-offered") return {};
    const thoughts = thought(ask, `Step ${results.length + 1}.`);
    return { steps: [...thoughts, { kind: "text", text: calls.length > 0 ? "Next." : task.finalText }, ...calls] };
  };
}

/** Models think also where nobody asked for it, but those of Messages. */
function thought(ask: Ask, text: string): Step[] {
  const { on, visible } = ask.reasoning;
  return on || ask.protocol !== "messages" ? [{ kind: "reasoning", text, hidden: !visible }] : [];
}

function nextCalls(task: AgentTask, ask: Ask, results: readonly string[]): Step[] | "none-offered" {
  const shell = toolFor("shell", ask.tools);
  if (!shell) return "none-offered";
  const path = (name: string) => `${task.directory}/${name}`;
  const files = task.look === undefined ? task.read : [...task.read, task.look];
  const unread = files.slice(results.length);
  if (unread.length > 0) {
    return unread.map((name) => {
      const read = toolFor(name === task.look ? "look" : "read", ask.tools);
      return read ? textCall(read, { path: path(name) }) : shellCall(shell, `cat ${name}`, task.directory);
    });
  }
  switch (results.length - files.length) {
    case 0: {
      const found = results
        .slice(0, task.read.length)
        .map((result) => task.find.exec(result)?.[0] ?? "(nothing was read)");
      const write = toolFor("write", ask.tools);
      if (write)
        return [textCall(write, { path: path(task.write), content: `${found.join("\n")}\n`, name: task.write })];
      const words = found.map((word) => `'${word}'`).join(" ");
      return [shellCall(shell, `printf '%s\\n' ${words} > ${task.write}`, task.directory)];
    }
    case 1:
      return [shellCall(shell, task.command, task.directory)];
    default:
      return [];
  }
}
