import { Table, Text } from "@mantine/core";
import { useMemo } from "react";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import { differencesOf } from "./json-difference.ts";
import { Quiet, SmallTable } from "./section.tsx";
import { callTexts } from "./texts.ts";
import { jsonOf } from "./wire-lines.ts";

const mostShown = 500;

/** What the gateway changed between the client's request and the upstream's, path by path. */
export function DifferenceView({ before, after }: { before: string | undefined; after: string | undefined }) {
  const t = useText(callTexts);
  const format = useFormat();
  const differences = useMemo(() => {
    const [one, other] = [jsonOf(before ?? ""), jsonOf(after ?? "")];
    return one === undefined || other === undefined ? undefined : differencesOf(one, other);
  }, [before, after]);
  if (!differences) return <Quiet>{t("diffUnreadable")}</Quiet>;
  if (differences.length === 0) return <Quiet>{t("diffSame")}</Quiet>;
  return (
    <>
      <Text fz="sm" mb="xs">
        {t("diffCount", { count: differences.length })}. {t("diffText")}
      </Text>
      <SmallTable
        label={t("view_diff")}
        minWidth={640}
        head={[{ text: t("diffPath") }, { text: t("diffKind") }, { text: t("diffBefore") }, { text: t("diffAfter") }]}
      >
        {differences.slice(0, mostShown).map(({ path, kind, before: was, after: is }) => (
          <Table.Tr key={path} className={classes.diff} data-kind={kind}>
            <Table.Td className={classes.path}>{path}</Table.Td>
            <Table.Td className={classes.sign}>{t(`diff_${kind}`)}</Table.Td>
            <Table.Td className={classes.value}>{was ?? "–"}</Table.Td>
            <Table.Td className={classes.value}>{is ?? "–"}</Table.Td>
          </Table.Tr>
        ))}
      </SmallTable>
      {differences.length > mostShown && (
        <Text fz="xs" c="dimmed" mt={6}>
          {t("diffMore", { count: format.count(mostShown) })}
        </Text>
      )}
    </>
  );
}
