import { Table } from "@mantine/core";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { Quiet, Section, SmallTable } from "./section.tsx";
import { callTexts } from "./texts.ts";

/** What the other side could not carry as it was, field by field. */
export function Notices({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  return (
    <Section title={t("notices")}>
      {call.notices.length === 0 ? (
        <Quiet>{t("noNotices")}</Quiet>
      ) : (
        <SmallTable label={t("notices")} head={[{ text: t("field") }, { text: t("verdict") }, { text: t("detail") }]}>
          {call.notices.map(({ field, verdict, detail }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same notice may be there twice
            <Table.Tr key={index}>
              <Table.Td className={classes.path}>{field}</Table.Td>
              <Table.Td title={t(`verdictTitle_${verdict}`)}>{t(`verdict_${verdict}`)}</Table.Td>
              <Table.Td>{detail}</Table.Td>
            </Table.Tr>
          ))}
        </SmallTable>
      )}
    </Section>
  );
}
