import { Table, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import type { CallDetail } from "./call-data.ts";
import { isByUse, listAmount, sumsOf } from "./price-arithmetic.ts";
import { Quiet, Section, SmallTable } from "./section.tsx";
import type { en } from "./text.en.ts";
import { callTexts } from "./texts.ts";

/** How the charge came about: each line's quantity times its price, and the sum. */
export function Cost({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  const format = useFormat();
  const { price_lines: lines } = call;
  const sums = sumsOf(lines);
  const nameOf = (name: string): string => {
    if (name.startsWith("tool:")) return t("class_tool", { name: name.slice(5) });
    const key = `class_${name}`;
    return isClass(key) ? t(key) : name;
  };
  return (
    <Section title={t("arithmetic")}>
      {lines.length === 0 ? (
        <Quiet>{call.price_version === null && call.outcome === "succeeded" ? t("freeNoPrice") : t("free")}</Quiet>
      ) : (
        <SmallTable
          label={t("arithmetic")}
          minWidth={520}
          head={[
            { text: t("lineClass") },
            { text: t("quantity"), right: true },
            { text: t("price"), right: true },
            { text: t("listAmount"), right: true },
            { text: t("amount"), right: true },
          ]}
          foot={
            <Table.Tr>
              <Table.Th scope="row" colSpan={3}>
                {t("sum")}
              </Table.Th>
              <Table.Td className={classes.number}>{format.money(String(sums.list))}</Table.Td>
              <Table.Td className={classes.number}>{format.money(call.charge)}</Table.Td>
            </Table.Tr>
          }
        >
          {lines.map((line) => (
            <Table.Tr key={line.class}>
              <Table.Td>{nameOf(line.class)}</Table.Td>
              <Table.Td className={classes.number}>{format.count(line.quantity)}</Table.Td>
              <Table.Td className={classes.number}>
                {line.class === "overrun"
                  ? "–"
                  : t(isByUse(line) ? "perUse" : "perMillion", { money: format.money(line.price) })}
              </Table.Td>
              <Table.Td className={classes.number}>
                {line.class === "overrun" ? "–" : format.money(String(listAmount(line)))}
              </Table.Td>
              <Table.Td className={classes.number}>{format.money(line.amount)}</Table.Td>
            </Table.Tr>
          ))}
        </SmallTable>
      )}
      {sums.factor !== undefined && (
        <Text fz="xs" c="dimmed" mt={6}>
          {t("factor", { factor: String(sums.factor) })}. {t("factorNote")}
        </Text>
      )}
      {call.overrun !== "0" && (
        <Text fz="xs" c="dimmed" mt={6}>
          {t("overrun", { money: format.money(call.overrun) })}
        </Text>
      )}
      {call.price_version !== null && (
        <Text fz="xs" c="dimmed" mt={6}>
          {t("priceVersion")}: <span className={classes.path}>{call.price_version}</span>
        </Text>
      )}
    </Section>
  );
}

const classKeys = [
  "class_input",
  "class_inputAudio",
  "class_inputImage",
  "class_cacheRead",
  "class_cacheReadAudio",
  "class_cacheReadImage",
  "class_cacheWrite",
  "class_cacheWrite5m",
  "class_cacheWrite1h",
  "class_output",
  "class_reasoning",
  "class_outputAudio",
  "class_outputImage",
  "class_request",
  "class_overrun",
] as const satisfies readonly (keyof typeof en)[];

function isClass(key: string): key is (typeof classKeys)[number] {
  return (classKeys as readonly string[]).includes(key);
}
