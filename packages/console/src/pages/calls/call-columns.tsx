import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import type { PageScope } from "../../app/account.ts";
import { OutcomeBadge } from "../../shared/badges.tsx";
import type { Column } from "../../shared/data-table.tsx";
import { type Format, useFormat } from "../../shared/format.ts";
import type { Protocol } from "../../shared/gateway-call.ts";
import { Money } from "../../shared/money.tsx";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { type Language, type Say, useLanguage, useText } from "../../shared/text.ts";
import { type Call, type CallSearch, inputTokens } from "./call-search.ts";
import classes from "./calls.module.css";
import { FilterValue } from "./filter-value.tsx";
import { callsTexts } from "./texts.ts";

export const columnNames = [
  "time",
  "account",
  "key",
  "protocol",
  "model",
  "channel",
  "status",
  "input",
  "cached",
  "output",
  "reasoning",
  "cost",
  "firstToken",
  "duration",
  "losses",
] as const;
export type ColumnName = (typeof columnNames)[number];

/** Shown only when asked for. */
export const usuallyHidden: readonly ColumnName[] = ["channel", "reasoning"];

/** For narrow places. */
const shortKeys = {
  "chat-completions": "short_chat_completions",
  responses: "short_responses",
  messages: "short_messages",
  "generate-content": "short_generate_content",
} as const;

/** Where the width of a phone is all there is, what matters most comes first. */
const narrowOrder: readonly ColumnName[] = ["time", "status", "model", "cost", "duration"];

/** The columns of the log; a click on a value calls `onFilter` with it. */
export function useCallColumns(
  scope: PageScope,
  onFilter: (change: CallSearch) => void,
  narrow: boolean,
): readonly (Column<Call> & { id: ColumnName })[] {
  const t = useText(callsTexts);
  const shared = useText(sharedTexts);
  const format = useFormat();
  const language = useLanguage();
  const nameOf = useProtocolName();
  const accountId = scope.kind === "account" ? scope.accountId : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the texts change with the language, as the format does
  return useMemo(() => {
    const all = columnsOf(scope, onFilter, { t, shared, nameOf, format, older: olderIn(language) });
    const own = scope.kind === "installation" ? all : all.filter(({ id }) => id !== "account");
    if (!narrow) return own;
    const first = narrowOrder.flatMap((name) => own.filter(({ id }) => id === name));
    return [...first, ...own.filter(({ id }) => !narrowOrder.includes(id))];
  }, [scope.kind, accountId, onFilter, format, narrow]);
}

/** How values are written in the reader's language. */
interface Writing {
  t: Say<typeof callsTexts.texts>;
  shared: Say<typeof sharedTexts.texts>;
  nameOf: (protocol: Protocol) => string;
  format: Format;
  /** Moments that are not of today. */
  older: Intl.DateTimeFormat;
}

function columnsOf(
  scope: PageScope,
  onFilter: (change: CallSearch) => void,
  { t, shared, nameOf, format, older }: Writing,
): readonly (Column<Call> & { id: ColumnName })[] {
  const count = (value: number | undefined) =>
    value === undefined ? <None /> : <span className={classes.figure}>{format.count(value)}</span>;
  const ms = (value: number | null) =>
    value === null ? (
      <None />
    ) : (
      <span className={classes.figure} title={`${value} ms`}>
        {format.duration(value)}
      </span>
    );
  return [
    {
      id: "time",
      header: t("time"),
      cell: (call) => (
        <CallLink scope={scope} id={call.id}>
          <time dateTime={new Date(call.started_at).toISOString()} title={format.time(call.started_at)}>
            {isToday(call.started_at) ? format.timeShort(call.started_at) : older.format(call.started_at)}
          </time>
        </CallLink>
      ),
    },
    {
      id: "account",
      header: t("account"),
      cell: (call) => (
        <FilterValue
          name={t("account")}
          value={call.account_name ?? call.account_id}
          title={call.account_id}
          narrow
          onFilter={() => onFilter({ account: call.account_id })}
        >
          {call.account_name ?? call.account_id}
        </FilterValue>
      ),
    },
    {
      id: "key",
      header: t("key"),
      cell: (call) => (
        <FilterValue
          name={t("key")}
          value={call.access_key_name ?? call.access_key_id}
          title={call.access_key_id}
          narrow
          onFilter={() => onFilter({ access_key: call.access_key_id })}
        >
          {call.access_key_name ?? call.access_key_id}
        </FilterValue>
      ),
    },
    {
      id: "protocol",
      header: t("protocol"),
      cell: ({ client_protocol, upstream_protocol }) => {
        const direct = client_protocol === upstream_protocol;
        const name = (protocol: Protocol | null) => (protocol === null ? "—" : nameOf(protocol));
        const short = (protocol: Protocol | null) => (protocol === null ? "—" : t(shortKeys[protocol]));
        const full = direct ? name(client_protocol) : `${name(client_protocol)} → ${name(upstream_protocol)}`;
        const shown = direct ? short(client_protocol) : `${short(client_protocol)} → ${short(upstream_protocol)}`;
        const why = direct ? `: ${t("direct")}` : upstream_protocol === null ? `: ${t("noUpstream")}` : "";
        return (
          <FilterValue
            name={t("protocol")}
            value={shown}
            title={full + why}
            onFilter={() => onFilter({ client_protocol, ...(upstream_protocol === null ? {} : { upstream_protocol }) })}
          >
            {shown}
          </FilterValue>
        );
      },
    },
    {
      id: "model",
      header: t("model"),
      cell: ({ model, upstream_model }) =>
        model === null ? (
          <None />
        ) : (
          <FilterValue
            name={t("model")}
            value={model}
            title={upstream_model === null || upstream_model === model ? model : `${model} → ${upstream_model}`}
            onFilter={() => onFilter({ model })}
          >
            {model}
          </FilterValue>
        ),
    },
    {
      id: "channel",
      header: t("channel"),
      cell: ({ channel }) =>
        channel === null ? (
          <None />
        ) : (
          <FilterValue name={t("channel")} value={channel} onFilter={() => onFilter({ channel })}>
            {channel}
          </FilterValue>
        ),
    },
    {
      id: "status",
      header: t("status"),
      cell: ({ status, outcome }) => (
        <FilterValue
          name={t("status")}
          value={
            outcome === "succeeded" && status < 400 ? String(status) : `${status} · ${shared(`outcome_${outcome}`)}`
          }
          onFilter={() => onFilter({ status: String(status), outcome })}
        >
          <OutcomeBadge outcome={outcome} status={status} />
        </FilterValue>
      ),
    },
    {
      id: "input",
      header: t("input"),
      align: "right",
      cell: (call) => {
        const total = inputTokens(call);
        if (total === undefined) return <None />;
        const { input_uncached = 0, input_cache_read = 0, input_cache_write = 0 } = call.usage ?? {};
        const title = t("inputTitle", {
          total: format.count(total),
          uncached: format.count(input_uncached),
          read: format.count(input_cache_read),
          write: format.count(input_cache_write),
        });
        return (
          <span className={classes.figure} title={title}>
            {format.count(total)}
          </span>
        );
      },
    },
    { id: "cached", header: t("cached"), align: "right", cell: ({ usage }) => count(usage?.input_cache_read) },
    {
      id: "output",
      header: t("output"),
      align: "right",
      cell: ({ usage }) => (
        <span className={classes.figure} {...(usage?.estimated && { title: t("estimated") })}>
          {usage?.estimated && usage.output_total !== undefined && "≈ "}
          {count(usage?.output_total)}
        </span>
      ),
    },
    { id: "reasoning", header: t("reasoning"), align: "right", cell: ({ usage }) => count(usage?.output_reasoning) },
    { id: "cost", header: t("cost"), align: "right", cell: ({ charge }) => <Money nano={charge} /> },
    { id: "firstToken", header: t("firstToken"), align: "right", cell: (call) => ms(call.first_token_ms) },
    { id: "duration", header: t("duration"), align: "right", cell: (call) => ms(call.end_ms) },
    {
      id: "losses",
      header: t("losses"),
      align: "right",
      cell: ({ losses }) =>
        losses === 0 ? (
          <span className={classes.none}>0</span>
        ) : (
          <FilterValue
            name={t("losses")}
            value={t("lossCount", { count: losses })}
            onFilter={() => onFilter({ losses: true })}
          >
            <span className={classes.loss}>{losses}</span>
          </FilterValue>
        ),
    },
  ];
}

/** A moment that is not of today: in the narrow column without its year and seconds, which stand in the title. */
function olderIn(language: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
  });
}

function isToday(at: number): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

function None() {
  return <span className={classes.none}>–</span>;
}

function CallLink({ scope, id, children }: { scope: PageScope; id: string; children: React.ReactNode }) {
  const stop = (event: React.SyntheticEvent) => event.stopPropagation();
  return scope.kind === "account" ? (
    <Link
      className={classes.time}
      to="/a/$account/calls/$call"
      params={{ account: scope.accountId, call: id }}
      onClick={stop}
      preload={false}
    >
      {children}
    </Link>
  ) : (
    <Link className={classes.time} to="/operator/calls/$call" params={{ call: id }} onClick={stop} preload={false}>
      {children}
    </Link>
  );
}
