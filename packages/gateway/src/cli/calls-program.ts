import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import { type Command, InvalidArgumentError } from "commander";
import type { ListCallsOptions } from "../calls/list-calls.ts";
import { dollarsArgument, timeArgument } from "./arguments.ts";
import {
  type CallListOptions,
  listRecordedCalls,
  pruneCalls,
  type ShowCallOptions,
  showCall,
} from "./calls-command.ts";
import type { CommandContext, CommonOptions } from "./context.ts";

/** Adds the commands on the record of calls. `withConfig` adds the option that all commands have. */
export function addCallsCommands(
  program: Command,
  context: CommandContext,
  withConfig: (command: Command) => Command,
): void {
  const calls = program.command("calls").description("the record of calls: list, show, prune");
  withConfig(calls.command("list"))
    .description("show recorded calls, the newest first")
    .option("--account <id>", "of this account")
    .option("--key <id>", "of this access key")
    .option("--model <name>", "for this model, as the caller wrote it")
    .option("--channel <name>", "answered by this channel")
    .option("--client-protocol <name>", protocolNames.join(", "), protocolArgument)
    .option("--upstream-protocol <name>", protocolNames.join(", "), protocolArgument)
    .option("--status <status>", "with this status, or class of statuses: 429, 5xx", statusArgument)
    .option("--failed", "only those that did not succeed")
    .option("--notices", "only those that lost or changed something")
    .option("--from <time>", "begun at this time or later: 2026-12-31, 2026-12-31T18:00Z", timeArgument)
    .option("--to <time>", "begun before this time", timeArgument)
    .option("--id <prefix>", "whose id begins so")
    .option("--min-charge <dollars>", "that cost this or more", dollarsArgument)
    .option("--oldest", "the oldest first")
    .option("--limit <number>", "how many, at most 200 (default: 50)", limitArgument)
    .option("--cursor <cursor>", "go on where another list ended")
    .option("--json", "as JSON")
    .action((options: CallListOptions) => listRecordedCalls(options, context));
  withConfig(calls.command("show"))
    .argument("<id>", "the call's id, which every error and `x-request-id` name")
    .description("show all that is recorded of a call")
    .option("--content", "and what is kept of its content; this is written to the audit log")
    .option("--json", "as JSON")
    .action((id: string, options: ShowCallOptions) => showCall(id, options, context));
  withConfig(calls.command("prune"))
    .description("delete what was kept long enough (calls.retention, content_logging.retention) now")
    .action((options: CommonOptions) => pruneCalls(options, context));
}

function protocolArgument(text: string): ProtocolName {
  const name = protocolNames.find((known) => known === text);
  if (name) return name;
  throw new InvalidArgumentError(`It must be one of: ${protocolNames.join(", ")}.`);
}

function statusArgument(text: string): NonNullable<ListCallsOptions["status"]> {
  if (text === "2xx" || text === "3xx" || text === "4xx" || text === "5xx") return text;
  if (/^[1-5][0-9]{2}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It must be a status such as 429, or a class of them such as 5xx.");
}

function limitArgument(text: string): number {
  const limit = /^[0-9]{1,3}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= 200) return limit;
  throw new InvalidArgumentError("It must be a whole number from 1 to 200.");
}
