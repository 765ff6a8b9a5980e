import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { agentTable, readAgentRows, sessionTable } from "../agents/agent-table.ts";

/** What became of one feature on one pair. `lost`: silently, which no test lets pass. `unsayable`: one side has no words for it. */
export interface Cell {
  state: "supported" | "emulated" | "approximated" | "dropped" | "refused" | "unsayable" | "lost";
  reason: string;
}

type Kind = "request" | "answer";

const titles: Record<ProtocolName, string> = {
  "chat-completions": "Chat completions",
  responses: "Responses",
  messages: "Messages",
  "generate-content": "generateContent",
};

/** Collects the cells and renders the page that users read. */
export class CompatibilityPage {
  readonly #cells = new Map<string, Cell>();
  readonly #features: Record<Kind, string[]> = { request: [], answer: [] };

  set(kind: Kind, feature: string, client: ProtocolName, upstream: ProtocolName, stream: boolean, cell: Cell): void {
    if (!this.#features[kind].includes(feature)) this.#features[kind].push(feature);
    this.#cells.set(key(kind, feature, client, upstream, stream), cell);
  }

  render(): string {
    const clients = protocolNames.map((client) => this.#client(client));
    const rows = readAgentRows();
    return `${head}${clients.join("\n")}\n${agentHead}${agentTable(rows)}\n\n${sessionHead}${sessionTable(rows)}\n`;
  }

  #client(client: ProtocolName): string {
    const notes: string[] = [];
    const table = (kind: Kind, title: string): string => {
      const rows = this.#features[kind].map(
        (feature) =>
          `| ${feature} | ${protocolNames.map((upstream) => this.#cell(kind, feature, client, upstream, notes)).join(" | ")} |`,
      );
      const names = protocolNames.map((upstream) => titles[upstream]).join(" | ");
      return `| ${title} | ${names} |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}\n`;
    };
    const requests = table("request", "the caller asks for");
    const answers = table("answer", "the model answers");
    const list = notes.map((note, index) => `${index + 1}. ${note}`).join("\n");
    return `## Clients of ${titles[client]}\n\n${requests}\n${answers}\n${list}\n`;
  }

  #cell(kind: Kind, feature: string, client: ProtocolName, upstream: ProtocolName, notes: string[]): string {
    const unary = this.#cells.get(key(kind, feature, client, upstream, false));
    const stream = this.#cells.get(key(kind, feature, client, upstream, true));
    if (!unary || !stream) throw new Error(`no cell for ${feature}, ${client} -> ${upstream}`);
    const write = (cell: Cell): string => {
      if (cell.state === "unsayable") return "–";
      if (cell.reason === "") return cell.state;
      const text = cell.reason.replaceAll("\n", " ");
      if (!notes.includes(text)) notes.push(text);
      return `${cell.state} (${notes.indexOf(text) + 1})`;
    };
    const [whole, streamed] = [write(unary), write(stream)];
    return whole === streamed ? whole : `${whole}; streaming: ${streamed}`;
  }
}

const key = (kind: Kind, feature: string, client: ProtocolName, upstream: ProtocolName, stream: boolean): string =>
  [kind, feature, client, upstream, stream].join("|");

const head = `# Compatibility

What becomes of each feature on the way from a client's protocol (one section each) to an upstream's (the columns), and of each answer on its way back. This page is written by \`npm run docs\` from a test that runs every cell, streaming and not, against the gateway and a simulated provider; the test fails where something is lost and nobody is told.

| word | meaning |
| --- | --- |
| supported | the same meaning on the other side; on the same protocol the request passes through unchanged |
| emulated | the same observable result by other means, told in \`x-interlingua-notices\` |
| approximated | the nearest lawful value, told in \`x-interlingua-notices\` |
| dropped | left out, told in \`x-interlingua-notices\`; refused instead under \`x-interlingua-lossy: refuse\` |
| refused | a 400 that names the field, before anything is sent |
| – | the client's or the upstream's protocol has no words for it |

Numbers point to the list below each table.

`;

const agentHead = `## Agents

Real programs, each set up by its page and by nothing else, in front of a simulated upstream of each family: the program reads two files and, where it can, a picture by parallel calls, beside them asks a tool server that the user has added (MCP; Claude Code, and Codex with a model that it knows, search for its tool first), writes a file, runs a command and finishes, streaming; once with a model that it knows by name, once with one that it never heard of. \`npm run test:agents\` does it again.

`;

const sessionHead = `### Sessions that go on over another family

The same programs in sessions of several turns, a start of the program for each; a routing rule has another family serve the model from turn to turn, away and back. In every turn the model thinks and calls tools at once. The whole conversation reaches each upstream, none is shown another one's proof of thinking (it would refuse the call), and each gets its own back byte for byte, as far as the program brings them.

`;
