import { Alert, Autocomplete, Button, Code, Group, Select, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/client.ts";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { type Format, useFormat } from "../../shared/format.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { type Channel, type ChannelTest, testsQuery, useChannelTest } from "./channel-api.ts";
import { type ChannelsText, channelsTexts } from "./texts.ts";

/** Sends a small call to the provider and tells what came of it, now and before. */
export function ChannelTests({ channel }: { channel: Channel }) {
  const t = useText(channelsTexts);
  const format = useFormat();
  const kept = useQuery(testsQuery(channel.name));
  const test = useChannelTest(channel.name);
  const names = channel.models.map(({ id }) => id).filter((id) => !id.includes("*"));
  const [model, setModel] = useState(names[0] ?? "");
  const [protocol, setProtocol] = useState(channel.protocols[0]);
  const field = test.error instanceof ApiError ? test.error.field : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate({ model: model.trim(), ...(protocol && { protocol }) });
  };
  return (
    <Stack gap="md">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <Group align="flex-end" gap="sm">
            <Autocomplete
              label={t("testModel")}
              data={names.slice(0, 200)}
              value={model}
              onChange={setModel}
              flex="1 1 200px"
              limit={50}
              spellCheck={false}
            />
            <Select
              label={t("testProtocol")}
              w={180}
              data={channel.protocols.map((value) => ({ value, label: value }))}
              value={protocol ?? null}
              allowDeselect={false}
              onChange={(value) => setProtocol(channel.protocols.find((each) => each === value))}
            />
            <Button
              type="submit"
              leftSection={<IconPlayerPlay size={15} aria-hidden="true" />}
              loading={test.isPending}
              disabled={model.trim() === ""}
            >
              {t("test")}
            </Button>
          </Group>
          <Text fz="xs" c="dimmed">
            {`${t("testModelHelp")} ${t("testNote")}`}
          </Text>
          {field === "model" && test.error && (
            <Text fz="sm" c="var(--console-bad)" role="alert">
              {test.error.message}
            </Text>
          )}
        </Stack>
      </form>
      {test.error && field !== "model" && <LoadFailed error={test.error} />}
      {test.data && <Outcome test={test.data} t={t} format={format} />}
      <DataTable
        label={t("testsList")}
        columns={columnsOf(t, format)}
        rows={kept.data?.items}
        error={kept.error}
        onRetry={() => void kept.refetch()}
        rowId={({ id }) => id}
        minWidth={560}
        empty={<Empty title={t("testsEmptyTitle")} text={t("testsEmptyText")} />}
      />
    </Stack>
  );
}

function Outcome({ test, t, format }: { test: ChannelTest; t: ChannelsText; format: Format }) {
  const times = [
    ...(test.status === null ? [] : [`HTTP ${test.status}`]),
    ...(test.first_byte_ms === null ? [] : [`${t("testFirstByte")} ${format.duration(test.first_byte_ms)}`]),
    `${t("testTotal")} ${format.duration(test.total_ms)}`,
  ];
  return (
    <Alert
      color={test.succeeded ? "teal" : "red"}
      variant="light"
      role="status"
      title={test.succeeded ? t("testGood") : t("testBad")}
      icon={
        test.succeeded ? (
          <IconCircleCheck size={18} aria-hidden="true" />
        ) : (
          <IconAlertTriangle size={18} aria-hidden="true" />
        )
      }
    >
      <Stack gap={4}>
        {test.problem !== null && <Text fz="sm">{problemText(test.problem, t)}</Text>}
        {test.message !== null && <Text fz="sm">{test.message}</Text>}
        {test.succeeded && (
          <Code block tabIndex={0}>
            {test.text === "" ? t("testSilent") : test.text}
          </Code>
        )}
        <Text fz="xs" className="figures">
          {times.join(" · ")}
        </Text>
      </Stack>
    </Alert>
  );
}

const knownProblems = [
  "connect",
  "connect_timeout",
  "tls",
  "late",
  "unauthenticated",
  "not_found",
  "rate_limit",
] as const;

function problemText(problem: string, t: ChannelsText): string {
  const known = knownProblems.find((each) => each === problem);
  return known === undefined ? t("problem_unknown", { problem }) : t(`problem_${known}`);
}

function columnsOf(t: ChannelsText, format: Format): Column<ChannelTest>[] {
  return [
    { id: "at", header: t("testTime"), width: 140, cell: ({ at }) => <Time at={at} /> },
    {
      id: "result",
      header: t("testResult"),
      cell: (test) =>
        test.succeeded ? (
          <Text fz="sm" c="var(--console-good)">
            {t("testPassed")}
          </Text>
        ) : (
          <Text fz="sm" c="var(--console-bad)" title={test.message ?? undefined}>
            {problemText(test.problem ?? "", t)}
          </Text>
        ),
    },
    {
      id: "model",
      header: t("testModel"),
      cell: ({ model, protocol }) => (
        <>
          <Text fz="xs" ff="monospace">
            {model}
          </Text>
          <Text fz="xs" c="dimmed">
            {protocol}
          </Text>
        </>
      ),
    },
    {
      id: "first",
      header: t("testFirstByte"),
      align: "right",
      cell: ({ first_byte_ms }) => (first_byte_ms === null ? "–" : format.duration(first_byte_ms)),
    },
    { id: "total", header: t("testTotal"), align: "right", cell: ({ total_ms }) => format.duration(total_ms) },
  ];
}
