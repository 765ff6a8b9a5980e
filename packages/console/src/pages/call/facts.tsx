import type { ReactNode } from "react";
import type { PageScope } from "../../app/account.ts";
import { OutcomeBadge } from "../../shared/badges.tsx";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { inputTokens } from "../calls/call-search.ts";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { callTexts } from "./texts.ts";

/** What matters most of a call, at a glance. */
export function Facts({ call, scope }: { call: CallDetail; scope: PageScope }) {
  const t = useText(callTexts);
  const shared = useText(sharedTexts);
  const format = useFormat();
  const nameOf = useProtocolName();
  const duration = (ms: number | null) => (ms === null ? "–" : <span title={`${ms} ms`}>{format.duration(ms)}</span>);
  const input = inputTokens(call);
  const output = call.usage?.output_total;
  const told = (count: number | undefined) => (count === undefined ? "–" : format.count(count));
  return (
    <dl className={classes.facts}>
      <Fact label={shared(`outcome_${call.outcome}`)}>
        <OutcomeBadge outcome={call.outcome} status={call.status} />
      </Fact>
      <Fact label={t("model")} note={call.upstream_model === call.model ? null : call.upstream_model}>
        {call.model ?? "–"}
      </Fact>
      <Fact label={t("protocols")} note={call.lane === null ? null : t(`lane_${call.lane}`)}>
        {nameOf(call.client_protocol)}
        {call.upstream_protocol !== null && call.upstream_protocol !== call.client_protocol && (
          <> → {nameOf(call.upstream_protocol)}</>
        )}
      </Fact>
      <Fact label={t("cost")}>
        <Money nano={call.charge} />
      </Fact>
      <Fact label={t("duration")} note={call.stream ? t("streamed") : t("whole")}>
        {duration(call.end_ms)}
      </Fact>
      <Fact label={t("firstToken")}>{duration(call.first_token_ms)}</Fact>
      <Fact label={t("tokens")} note={call.usage?.estimated ? t("estimated") : null}>
        {call.usage ? t("tokensInOut", { input: told(input), output: told(output) }) : t("notTold")}
      </Fact>
      <Fact label={t("key")}>
        <span title={call.access_key_id}>{call.access_key_name ?? call.access_key_id}</span>
      </Fact>
      {scope.kind === "installation" && (
        <Fact label={t("account")}>
          <span title={call.account_id}>{call.account_name ?? call.account_id}</span>
        </Fact>
      )}
      <Fact label={t("channel")}>{call.channel ?? "–"}</Fact>
    </dl>
  );
}

function Fact({ label, note = null, children }: { label: string; note?: string | null; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>
        {children}
        {note !== null && <small>{note}</small>}
      </dd>
    </div>
  );
}
