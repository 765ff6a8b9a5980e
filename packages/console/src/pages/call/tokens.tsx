import { Table, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { Quiet, Section, SmallTable } from "./section.tsx";
import { callTexts } from "./texts.ts";

const counters = [
  "input_uncached",
  "input_cache_read",
  "input_cache_write",
  "input_cache_write_5m",
  "input_cache_write_1h",
  "input_tool_prompt",
  "input_audio",
  "output_total",
  "output_reasoning",
  "output_audio",
  "output_image",
] as const;

/** Parts of the counter before them. */
const partial: ReadonlySet<(typeof counters)[number]> = new Set([
  "input_cache_write_5m",
  "input_cache_write_1h",
  "output_reasoning",
  "output_audio",
  "output_image",
]);

/** Every counter that was told, and no other: what nobody told is not 0. */
export function Tokens({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  const format = useFormat();
  const { usage } = call;
  return (
    <Section title={t("usage")}>
      {usage === null ? (
        <Quiet>{t("usageNone")}</Quiet>
      ) : (
        <SmallTable
          label={t("usage")}
          minWidth={220}
          head={[{ text: t("lineClass") }, { text: t("quantity"), right: true }]}
        >
          {counters.map((name) => {
            const count = usage[name];
            if (count === undefined) return null;
            return (
              <Table.Tr key={name}>
                <Table.Td {...(partial.has(name) && { pl: 28, c: "dimmed" })}>{t(`u_${name}`)}</Table.Td>
                <Table.Td className={classes.number}>{format.count(count)}</Table.Td>
              </Table.Tr>
            );
          })}
          {Object.entries(usage.server_tools ?? {}).map(([tool, uses]) => (
            <Table.Tr key={`tool:${tool}`}>
              <Table.Td>{t("u_server_tools", { tool })}</Table.Td>
              <Table.Td className={classes.number}>{format.count(uses)}</Table.Td>
            </Table.Tr>
          ))}
        </SmallTable>
      )}
      {(usage?.estimated || call.usage_disputed) && (
        <Text fz="xs" c="dimmed" mt={6}>
          {call.usage_disputed ? t("disputed") : t("estimated")}
        </Text>
      )}
    </Section>
  );
}
