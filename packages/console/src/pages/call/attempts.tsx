import { Table, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { Quiet, Section, SmallTable } from "./section.tsx";
import { callTexts } from "./texts.ts";

/** Which channels were tried, and what each of them did, in words. */
export function Attempts({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  const format = useFormat();
  const nameOf = useProtocolName();
  return (
    <Section title={t("attempts")}>
      {call.attempts.length === 0 ? (
        <Quiet>{t("noAttempts")}</Quiet>
      ) : (
        <SmallTable
          label={t("attempts")}
          minWidth={640}
          head={[
            { text: t("number"), right: true },
            { text: t("channel") },
            { text: t("model") },
            { text: t("status") },
            { text: t("reason") },
            { text: t("started"), right: true },
            { text: t("took"), right: true },
          ]}
        >
          {call.attempts.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what an attempt is
            <Table.Tr key={index}>
              <Table.Td className={classes.number}>{index + 1}</Table.Td>
              <Table.Td>
                {attempt.channel}
                <Text fz="xs" c="dimmed">
                  {nameOf(attempt.upstream_protocol)}
                </Text>
              </Table.Td>
              <Table.Td>{attempt.upstream_model}</Table.Td>
              <Table.Td>{attempt.status ?? "–"}</Table.Td>
              <Table.Td>
                {reasonOf(attempt, t)}
                {attempt.error_code !== null && (
                  <Text fz="xs" c="dimmed">
                    {t("attemptCode", { code: attempt.error_code })}
                  </Text>
                )}
                {attempt.possibly_billed && (
                  <Text fz="xs" c="dimmed">
                    {t("possiblyBilled")}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className={classes.number} title={`${attempt.started_ms} ms`}>
                {format.duration(attempt.started_ms)}
              </Table.Td>
              <Table.Td className={classes.number}>
                {attempt.end_ms === null ? "–" : format.duration(attempt.end_ms - attempt.started_ms)}
              </Table.Td>
            </Table.Tr>
          ))}
        </SmallTable>
      )}
    </Section>
  );
}

function reasonOf(
  attempt: CallDetail["attempts"][number],
  t: ReturnType<typeof useText<typeof callTexts.texts>>,
): string {
  if (attempt.error_kind !== null) return t(`kind_${attempt.error_kind}`);
  return attempt.end_ms === null ? t("attemptRunning") : t("attemptGood");
}
