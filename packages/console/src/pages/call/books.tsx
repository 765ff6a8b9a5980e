import { Table, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { Quiet, Section, SmallTable } from "./section.tsx";
import { callTexts } from "./texts.ts";

/** What the call did to the account's money: what was set aside, and the ledger's lines. */
export function Books({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  const format = useFormat();
  const { ledger, reservation } = call;
  return (
    <Section title={t("books")}>
      {ledger.length === 0 && reservation === null ? (
        <Quiet>{t("booksNone")}</Quiet>
      ) : (
        <SmallTable
          label={t("books")}
          head={[
            { text: t("entry") },
            { text: t("at") },
            { text: t("bookAmount"), right: true },
            { text: t("balanceAfter"), right: true },
          ]}
        >
          {reservation && (
            <Table.Tr>
              <Table.Td>
                {t("reservation")}
                <Text fz="xs" c="dimmed">
                  {t(`reservation_${reservation.state}`)}
                </Text>
              </Table.Td>
              <Table.Td>
                <Time at={reservation.created_at} />
              </Table.Td>
              <Table.Td className={classes.number}>{format.money(reservation.amount)}</Table.Td>
              <Table.Td className={classes.number}>–</Table.Td>
            </Table.Tr>
          )}
          {ledger.map((entry) => (
            <Table.Tr key={entry.id}>
              <Table.Td>
                {t(`kind_${entry.kind}`)}
                {entry.note !== null && (
                  <Text fz="xs" c="dimmed">
                    {entry.note}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                <Time at={entry.at} />
              </Table.Td>
              <Table.Td className={classes.number}>{format.money(entry.amount)}</Table.Td>
              <Table.Td className={classes.number}>{format.money(entry.balance_after)}</Table.Td>
            </Table.Tr>
          ))}
        </SmallTable>
      )}
    </Section>
  );
}
