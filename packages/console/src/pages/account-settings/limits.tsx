import { Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { api, unwrap } from "../../api/client.ts";
import { StateBadge } from "../../shared/badges.tsx";
import { CopyId } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { accountSettingsTexts } from "./texts.ts";

/** What operators have set for the account. */
export function Limits({ account }: { account: string }) {
  const t = useText(accountSettingsTexts);
  const format = useFormat();
  const query = useQuery({
    queryKey: ["account", account],
    queryFn: () => unwrap(api.GET("/api/v1/accounts/{account}", { params: { path: { account } } })),
  });
  const limit = (value: number | null) => (value === null ? t("noLimit") : format.count(value));
  return (
    <Loaded query={query}>
      {({ id, state, billing, limits, credit_limit, created_at }) => (
        <Stack gap="xl" maw={640}>
          <Facts
            title={t("limitsTitle")}
            text={t("limitsText")}
            rows={[
              [t("requests"), limit(limits.requests_per_minute)],
              [t("tokens"), limit(limits.tokens_per_minute)],
              [t("concurrency"), limit(limits.concurrency)],
            ]}
          />
          <Facts
            title={t("billingTitle")}
            rows={[
              [t("billing"), t(`billing_${billing}`)],
              ...(billing === "postpaid"
                ? [
                    [t("creditLimit"), credit_limit === null ? t("unbounded") : format.money(credit_limit)] as [
                      string,
                      ReactNode,
                    ],
                  ]
                : []),
              [t("state"), <StateBadge key="state" state={state} />],
              [t("id"), <CopyId key="id" value={id} />],
              [t("created"), <Time key="created" at={created_at} />],
            ]}
          />
        </Stack>
      )}
    </Loaded>
  );
}

function Facts({ title, text, rows }: { title: string; text?: string; rows: readonly [string, ReactNode][] }) {
  return (
    <section>
      <Title order={2}>{title}</Title>
      {text !== undefined && (
        <Text fz="sm" c="dimmed">
          {text}
        </Text>
      )}
      <Table variant="vertical" layout="fixed" withTableBorder fz="sm" mt="xs">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={170} fw={500}>
                {name}
              </Table.Th>
              <Table.Td className="figures">{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}
