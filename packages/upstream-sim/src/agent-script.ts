import { type ToolResult, toolResults } from "./agent-results.ts";
import { callOf, isSearch, isServerTool, searchCall, shellCall, textCall, toolFor } from "./agent-tools.ts";
import type { Ask, OfferedTool } from "./ask.ts";
import type { JsonObject } from "./json.ts";
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
  /**
   * A tool of a server that the user added, called beside the reads; where the agent offers its search of tools in the
   * tool's place, that comes first. Left out: none.
   */
  ask?: { tool: string; arguments: JsonObject };
  /** What is to be found in each result; the first match of each is written into `write`, a line each in the order above. */
  find: RegExp;
  /** A file that is not there yet. Left out: nothing is written. */
  write?: string;
  /** A line of shell, run after that. Left out: none. */
  command?: string;
  /** The last answer. */
  finalText: string;
  /** How many results the conversation has from before this task, where it goes on from others. Default 0. */
  before?: number;
}

/**
 * Plays the model behind an agent by the agent's own tools: the next step follows from the results that the request
 * bears, so that requests may be sent again and come from several conversations. Requests that offer none of the
 * tools (a title, a summary) are left to the sandbox.
 */
export function agentScript(task: AgentTask): (request: SimRequest) => ((ask: Ask) => Script) | undefined {
  return (request) => (ask) => {
    const results = toolResults(request.json);
    const calls = nextCalls(task, ask, results);
    if (calls === "none-offered") return {};
    const text = calls.length > 0 ? "Next." : task.finalText;
    const thoughts = thought(ask, `After ${results.length} results: ${text}`);
    return { steps: [...thoughts, { kind: "text", text }, ...calls] };
  };
}

/** Models think also where nobody asked for it, but those of Messages. */
function thought(ask: Ask, text: string): Step[] {
  const { on, visible } = ask.reasoning;
  return on || ask.protocol !== "messages" ? [{ kind: "reasoning", text, hidden: !visible }] : [];
}

function nextCalls(task: AgentTask, ask: Ask, results: readonly ToolResult[]): Step[] | "none-offered" {
  const tools = [...ask.tools, ...(ask.ownTools ?? [])];
  const shell = toolFor("shell", tools);
  if (!shell) return "none-offered";
  const path = (name: string) => `${task.directory}/${name}`;
  const { told, searched, others } = sorted(task, results);
  const done = others.slice(task.before ?? 0);
  const files = task.look === undefined ? task.read : [...task.read, task.look];
  const reads = files.slice(done.length).map((name) => {
    const read = toolFor(name === task.look ? "look" : "read", tools);
    return read ? textCall(read, { path: path(name) }) : shellCall(shell, `cat ${name}`, task.directory);
  });
  const asked = told.length > 0 ? [] : askCalls(task, tools, searched);
  if (reads.length + asked.length > 0) return [...reads, ...asked];

  const rest: Step[] = [];
  if (task.write !== undefined) {
    const sources = [...done.slice(0, task.read.length), ...(task.ask ? [told[0]] : [])];
    const found = sources.map((result) => task.find.exec(result?.text ?? "")?.[0] ?? "(nothing was found)");
    const write = toolFor("write", tools);
    const words = found.map((word) => `'${word}'`).join(" ");
    rest.push(
      write
        ? textCall(write, { path: path(task.write), content: `${found.join("\n")}\n`, name: task.write })
        : shellCall(shell, `printf '%s\\n' ${words} > ${task.write}`, task.directory),
    );
  }
  if (task.command !== undefined) rest.push(shellCall(shell, task.command, task.directory));
  const at = done.length - files.length;
  return rest.slice(at, at + 1);
}

/** What the user's own tool told, whether it was searched for, and the results of all other tools. */
function sorted({ ask }: AgentTask, results: readonly ToolResult[]) {
  const isTold = ({ name }: ToolResult) => ask !== undefined && isServerTool(name, ask.tool);
  return {
    told: results.filter(isTold),
    searched: results.some(({ name }) => isSearch(name)),
    others: results.filter((result) => !isTold(result) && !isSearch(result.name)),
  };
}

/** Calls the user's own tool or, once, the search for it. */
function askCalls({ ask }: AgentTask, tools: readonly OfferedTool[], searched: boolean): Step[] {
  if (!ask) return [];
  const tool = tools.find(({ name }) => isServerTool(name, ask.tool));
  if (tool) return [callOf(tool, ask.arguments)];
  const search = toolFor("search", tools);
  return search && !searched ? [searchCall(search, ask.tool.replaceAll("_", " "))] : [];
}
