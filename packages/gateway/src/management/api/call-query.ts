import { protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import type { CallFilter } from "../../calls/call-filter.ts";
import type { ListCallsOptions } from "../../calls/list-calls.ts";
import { callOutcomes, errorKinds } from "./call-schemas.ts";

const protocolParam = z.enum(protocolNames).optional();
const timeParam = z.coerce.number().int().min(0).optional();

/** The parameters of lists and exports of calls. */
export const callFilterQuery = {
  access_key: z.string().max(128).optional().describe("The key's id."),
  model: z.string().max(256).optional().describe("As the caller wrote it."),
  channel: z.string().max(128).optional(),
  client_protocol: protocolParam,
  upstream_protocol: protocolParam,
  status: z
    .string()
    .regex(/^[1-5](?:xx|[0-9]{2})$/)
    .optional()
    .describe("The HTTP status that the caller got, '404', or all of a class, '4xx'."),
  outcome: z.enum(callOutcomes).optional(),
  failed: z.stringbool().optional().describe("Only calls that failed in any way."),
  stream: z.stringbool().optional(),
  error_kind: z.enum(errorKinds).optional(),
  from: timeParam.describe("Calls that began at this time or later, unix milliseconds."),
  to: timeParam.describe("Calls that began before this time, unix milliseconds."),
  id: z
    .string()
    .regex(/^[A-Za-z0-9_-]{3,64}$/)
    .optional()
    .describe("The begin of the call's id. The list is then sorted by id."),
  losses: z.stringbool().optional().describe("Only calls with notices."),
  min_charge: z
    .string()
    .regex(/^[0-9]{1,18}$/)
    .optional()
    .describe("Nano-dollars: only calls that cost as much or more."),
  order: z
    .enum(["newest", "oldest"])
    .optional()
    .describe("By the calls' begin; the newest first unless said otherwise."),
};

/** What operators may filter by besides. */
export const operatorCallQuery = {
  account: z.string().max(128).optional().describe("The account's id."),
};

const whole = z.object({ ...callFilterQuery, ...operatorCallQuery });

/** The parameters as the filter of a list. `accountId`: the one account it is about, whatever the parameters say. */
export function callFilterOf(query: z.output<typeof whole>, accountId: string | undefined): ListCallsOptions {
  const status = query.status;
  return present({
    accountId: accountId ?? query.account,
    accessKeyId: query.access_key,
    model: query.model,
    channel: query.channel,
    clientProtocol: query.client_protocol,
    upstreamProtocol: query.upstream_protocol,
    status: status === undefined ? undefined : statusOf(status),
    outcome: query.outcome,
    failed: query.failed,
    stream: query.stream,
    errorKind: query.error_kind,
    from: query.from,
    to: query.to,
    idPrefix: query.id,
    withNotices: query.losses,
    minCharge: query.min_charge === undefined ? undefined : BigInt(query.min_charge),
    order: query.order,
  });
}

function statusOf(text: string): NonNullable<CallFilter["status"]> {
  switch (text) {
    case "2xx":
    case "3xx":
    case "4xx":
    case "5xx":
      return text;
    default:
      // No call ends with a status of class 1xx.
      return text.endsWith("xx") ? 100 : Number(text);
  }
}

function present<Values extends object>(values: Values): { [Name in keyof Values]?: Exclude<Values[Name], undefined> } {
  // What is left has no undefined value, and no name is added.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Values]?: Exclude<Values[Name], undefined>;
  };
}
