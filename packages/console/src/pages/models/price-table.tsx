import { Stack, Table, Text } from "@mantine/core";
import { useFormat } from "../../shared/format.ts";
import { Money } from "../../shared/money.tsx";
import { useText } from "../../shared/text.ts";
import type { ListPrice } from "./models-query.ts";
import { modelTexts } from "./texts.ts";

/** What a model costs: a column for each length of the input that has a price of its own. */
export function PriceTable({ price }: { price: ListPrice | null }) {
  const t = useText(modelTexts);
  const format = useFormat();
  if (!price) {
    return (
      <Text fz="sm" c="dimmed">
        {t("noPriceText")}
      </Text>
    );
  }
  const classes = [...new Set(price.tiers.flatMap((tier) => tier.per_million.map((line) => line.class)))];
  const above = price.tiers[1]?.above_input_tokens;
  return (
    <Stack gap={6}>
      <Table fz="sm" verticalSpacing={5} horizontalSpacing={0}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" fz="xs" c="dimmed" fw={550}>
              {t("priceClass")}
            </Table.Th>
            {price.tiers.map((tier) => (
              <Table.Th key={tier.above_input_tokens} scope="col" ta="right" fz="xs" c="dimmed" fw={550}>
                {above === undefined
                  ? t("perMillion")
                  : tier.above_input_tokens === 0
                    ? t("tierFirst", { count: format.count(above) })
                    : t("tierFrom", { count: format.count(tier.above_input_tokens) })}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {classes.map((name) => (
            <Table.Tr key={name}>
              <Table.Td>{t(`class_${name}`)}</Table.Td>
              {price.tiers.map((tier) => {
                const line = tier.per_million.find((one) => one.class === name);
                return (
                  <Table.Td key={tier.above_input_tokens} ta="right">
                    {line && <Money nano={line.price} />}
                  </Table.Td>
                );
              })}
            </Table.Tr>
          ))}
          {price.per_request !== "0" && (
            <Table.Tr>
              <Table.Td colSpan={price.tiers.length}>{t("perRequest")}</Table.Td>
              <Table.Td ta="right">
                <Money nano={price.per_request} />
              </Table.Td>
            </Table.Tr>
          )}
          {price.server_tools.map(({ tool, price: each }) => (
            <Table.Tr key={tool}>
              <Table.Td colSpan={price.tiers.length}>{t("perUse", { tool })}</Table.Td>
              <Table.Td ta="right">
                <Money nano={each} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {price.varies && (
        <Text fz="xs" c="dimmed">
          {t("varies")}
        </Text>
      )}
    </Stack>
  );
}
