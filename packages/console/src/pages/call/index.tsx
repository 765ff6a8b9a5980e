import { Alert, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { type PageScope, usePageScope } from "../../app/account.ts";
import { CopyId } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { lastSearch } from "../calls/last-search.ts";
import { Attempts } from "./attempts.tsx";
import { Books } from "./books.tsx";
import classes from "./call.module.css";
import { type CallDetail, callQuery } from "./call-data.ts";
import { Cost } from "./cost.tsx";
import { Facts } from "./facts.tsx";
import { Notices } from "./notices.tsx";
import type { en } from "./text.en.ts";
import { callTexts } from "./texts.ts";
import { Timeline } from "./timeline.tsx";
import { Tokens } from "./tokens.tsx";
import { WireInspector } from "./wire-inspector.tsx";

/** One call, with all that is known of it. */
export default function CallPage() {
  const t = useText(callTexts);
  const scope = usePageScope();
  const { call: id = "" }: { call?: string } = useParams({ strict: false });
  const query = useQuery(callQuery(scope, id));
  return (
    <>
      <BackLink scope={scope} />
      <PageHeader
        title={t("title")}
        description={
          <Group gap="md">
            <CopyId value={id} />
            {query.data && <When at={query.data.started_at} />}
          </Group>
        }
      />
      <Loaded query={query} skeleton={<CallSkeleton />}>
        {(call) => (
          <>
            <Facts call={call} scope={scope} />
            <Trouble call={call} />
            <Timeline call={call} />
            <Attempts call={call} />
            <Notices call={call} />
            <WireInspector call={call} scope={scope} />
            <div className={classes.columns}>
              <Cost call={call} />
              <Tokens call={call} />
            </div>
            <Books call={call} />
          </>
        )}
      </Loaded>
    </>
  );
}

function BackLink({ scope }: { scope: PageScope }) {
  const t = useText(callTexts);
  // Search parameters are plain texts everywhere.
  const search = lastSearch(scope) as never;
  const inside = (
    <>
      <IconArrowLeft size={14} aria-hidden="true" />
      {t("back")}
    </>
  );
  return scope.kind === "account" ? (
    <Link className={classes.back} to="/a/$account/calls" params={{ account: scope.accountId }} search={search}>
      {inside}
    </Link>
  ) : (
    <Link className={classes.back} to="/operator/calls" search={search}>
      {inside}
    </Link>
  );
}

function When({ at }: { at: number }) {
  const format = useFormat();
  return (
    <time dateTime={new Date(at).toISOString()} title={format.relative(at)}>
      {format.time(at)}
    </time>
  );
}

/** Why a call did not succeed, in words. */
function Trouble({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  if (call.outcome === "succeeded" && call.error_kind === null) return null;
  const abort = call.abort_reason === null ? undefined : `abort_${call.abort_reason}`;
  return (
    <Alert color="red" variant="light" title={t("error")}>
      <Stack gap={2}>
        {call.outcome !== "succeeded" && <Text fz="sm">{t(`outcomeText_${call.outcome}`)}</Text>}
        {call.error_kind !== null && <Text fz="sm">{t(`kind_${call.error_kind}`)}</Text>}
        {abort !== undefined && isAbort(abort) && <Text fz="sm">{t(abort)}</Text>}
      </Stack>
    </Alert>
  );
}

const aborts = [
  "abort_client_closed",
  "abort_reader_stalled",
  "abort_time_limit",
  "abort_size_limit",
  "abort_upstream_broke_off",
  "abort_reservation_used_up",
  "abort_shutdown",
  "abort_key_ended",
  "abort_gateway_fault",
  "abort_process_died",
] as const satisfies readonly (keyof typeof en)[];

function isAbort(key: string): key is (typeof aborts)[number] {
  return (aborts as readonly string[]).includes(key);
}

function CallSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton h={126} />
      <Skeleton h={90} />
      <Skeleton h={120} />
    </Stack>
  );
}
