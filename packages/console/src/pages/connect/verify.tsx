import { Alert, Button, Group, Loader, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import type { components } from "../../api/schema.d.ts";
import { OutcomeBadge, ProtocolBadge } from "../../shared/badges.tsx";
import { useFormat } from "../../shared/format.ts";
import { callGateway, type Protocol } from "../../shared/gateway-call.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import classes from "./connect.module.css";
import { testBody } from "./test-body.ts";
import { connectTexts } from "./texts.ts";

type Call = components["schemas"]["Call"];

/** From when on it is told what may be wrong. */
const longMs = 30_000;
const pollMs = 1500;

/** Waits for a call of the key and shows how it went. */
export function Verify(props: {
  account: string;
  keyId: string | undefined;
  secret: string;
  protocol: Protocol;
  model: string;
}) {
  const t = useText(connectTexts);
  const [round, setRound] = useState(0);
  return (
    <section aria-labelledby="verify" className={classes.verify ?? ""}>
      <Title order={2} id="verify" mb={4}>
        {t("verify")}
      </Title>
      <Text fz="sm" c="dimmed" mb="sm" maw={640}>
        {t("verifyText")}
      </Text>
      {props.keyId === undefined ? (
        <Text fz="sm">{t("chooseKeyFirst")}</Text>
      ) : (
        <Waiting {...props} key={`${props.keyId} ${round}`} keyId={props.keyId} onAgain={() => setRound(round + 1)} />
      )}
    </section>
  );
}

function Waiting({
  account,
  keyId,
  secret,
  protocol,
  model,
  onAgain,
}: {
  account: string;
  keyId: string;
  secret: string;
  protocol: Protocol;
  model: string;
  onAgain: () => void;
}) {
  const t = useText(connectTexts);
  const [since, setSince] = useState<number>();
  const wait = useArrival(account, keyId, since !== undefined);
  const test = useMutation({
    mutationFn: async () => {
      const response = await callGateway({ protocol, model, secret, stream: false, body: testBody(protocol, model) });
      if (response.ok) return undefined;
      return `${response.status} ${(await response.text()).slice(0, 600)}`;
    },
  });
  const start = () => setSince(Date.now());
  if (wait.call) return <Arrived call={wait.call} account={account} onAgain={onAgain} />;
  const refused = test.error ? test.error.message : test.data;
  return (
    <Stack gap="sm" align="flex-start">
      <Group gap="xs">
        {since === undefined ? (
          <Button onClick={start}>{t("startVerify")}</Button>
        ) : (
          <Button variant="default" onClick={onAgain}>
            {t("stopVerify")}
          </Button>
        )}
        <Button
          variant="default"
          disabled={secret === "" || model === ""}
          loading={test.isPending}
          onClick={() => {
            if (since === undefined) start();
            wait.whenReady(() => test.mutate());
          }}
        >
          {t("sendTest")}
        </Button>
      </Group>
      {secret === "" && since === undefined && (
        <Text fz="xs" c="dimmed">
          {t("sendTestNeeds")}
        </Text>
      )}
      {refused !== undefined && (
        <Alert color="red" variant="light" role="alert" w="100%">
          <Text fz="sm" className={classes.raw ?? ""}>
            {t("testRefused", { message: refused })}
          </Text>
        </Alert>
      )}
      {since !== undefined && (
        <Group gap="xs" role="status">
          <Loader size="xs" type="dots" />
          <Text fz="sm">{t("waiting")}</Text>
        </Group>
      )}
      {since !== undefined && wait.at - since > longMs && (
        <Text fz="sm" maw={640} c="dimmed">
          {t("waitingLong")}
        </Text>
      )}
      {wait.error !== null && <LoadFailed error={wait.error} />}
    </Stack>
  );
}

/** The first call of the key that ends while it is waited for. */
function useArrival(account: string, keyId: string, active: boolean) {
  const list = (after: string | undefined) =>
    unwrap(
      api.GET("/api/v1/accounts/{account}/calls", {
        params: { path: { account }, query: { access_key: keyId, limit: 20, ...(after !== undefined && { after }) } },
      }),
    );
  // What there was before is not what is waited for.
  const before = useQuery({
    queryKey: ["connect", account, keyId, "before"],
    queryFn: () => list(undefined),
    staleTime: 0,
    gcTime: 0,
  });
  const known = before.data;
  const news = useQuery({
    queryKey: ["connect", account, keyId, known?.live],
    queryFn: () => list(known?.live),
    enabled: active && known !== undefined,
    refetchInterval: ({ state }) => (state.data && arrivalOf(state.data.items, known?.items) ? false : pollMs),
    staleTime: 0,
    gcTime: 0,
  });
  const [queued, setQueued] = useState<() => void>();
  if (queued && known) {
    setQueued(undefined);
    queueMicrotask(queued);
  }
  return {
    call: active ? arrivalOf(news.data?.items, known?.items) : undefined,
    error: before.error ?? news.error,
    at: news.dataUpdatedAt,
    /** Runs when a call that is made from now on will be seen. */
    whenReady: (run: () => void) => setQueued(() => run),
  };
}

function arrivalOf(news: readonly Call[] | undefined, before: readonly Call[] | undefined): Call | undefined {
  return news?.findLast(({ id }) => before?.every((old) => old.id !== id) ?? false);
}

function Arrived({ call, account, onAgain }: { call: Call; account: string; onAgain: () => void }) {
  const t = useText(connectTexts);
  const format = useFormat();
  const good = call.outcome === "succeeded" && call.status < 400;
  const input = call.usage
    ? (call.usage.input_uncached ?? 0) + (call.usage.input_cache_read ?? 0) + (call.usage.input_cache_write ?? 0)
    : undefined;
  return (
    <Stack gap="sm">
      <Alert
        role="status"
        color={good ? "teal" : "red"}
        variant="default"
        icon={good ? <IconCircleCheck size={18} aria-hidden="true" /> : <IconCircleX size={18} aria-hidden="true" />}
        title={good ? t("arrived") : t("arrivedFailed")}
      >
        <dl className={classes.facts ?? ""}>
          <Fact name={t("model")}>{call.model ?? "–"}</Fact>
          <Fact name={t("protocolLabel")}>
            <Group gap={6}>
              <ProtocolBadge protocol={call.client_protocol} />
              {call.upstream_protocol !== null && call.upstream_protocol !== call.client_protocol && (
                <>
                  <span aria-hidden="true">→</span>
                  <ProtocolBadge protocol={call.upstream_protocol} />
                </>
              )}
            </Group>
          </Fact>
          <Fact name="HTTP">
            <OutcomeBadge outcome={call.outcome} status={call.status} />
          </Fact>
          {call.error_kind !== null && <Fact name={t("why")}>{t(`error_${call.error_kind}`)}</Fact>}
          {call.channel !== null && <Fact name={t("channel")}>{call.channel}</Fact>}
          {input !== undefined && (
            <Fact name={t("tokens")}>
              {format.count(input)} / {format.count(call.usage?.output_total ?? 0)}
            </Fact>
          )}
          {call.first_token_ms !== null && <Fact name={t("firstToken")}>{format.duration(call.first_token_ms)}</Fact>}
          {call.end_ms !== null && <Fact name={t("duration")}>{format.duration(call.end_ms)}</Fact>}
          <Fact name={t("cost")}>
            <Money nano={call.charge} />
          </Fact>
          {call.notices.length > 0 && (
            <Fact name={t("losses")}>
              {call.notices.map(({ field, verdict }) => `${field}: ${verdict}`).join(", ")}
            </Fact>
          )}
        </dl>
      </Alert>
      <Group gap="xs">
        <Button component={Link} to={`/a/${encodeURIComponent(account)}/calls/${encodeURIComponent(call.id)}`}>
          {t("open")}
        </Button>
        <Button variant="default" onClick={onAgain}>
          {t("again")}
        </Button>
      </Group>
    </Stack>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
