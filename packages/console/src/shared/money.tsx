import { Text } from "@mantine/core";
import { useFormat } from "./format.ts";

/** An amount of nano-dollars. Short: for summaries, with the exact one in the title. */
export function Money({ nano, short = false }: { nano: string; short?: boolean }) {
  const format = useFormat();
  return (
    <Text span inherit className="figures" title={format.money(nano)}>
      {short ? format.moneyShort(nano) : format.money(nano)}
    </Text>
  );
}
