import { ActionIcon, Group } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useFormat } from "../../shared/format.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { activeFilters, type Call, type CallSearch, type FilterName, outcomes } from "./call-search.ts";
import classes from "./calls.module.css";
import { callsTexts } from "./texts.ts";

/** The filters that are set, each with a button that takes it out. */
export function FilterPills({
  search,
  rows,
  onRemove,
}: {
  search: CallSearch;
  /** Where the names of keys and accounts are looked up. */
  rows: readonly Call[] | undefined;
  onRemove: (name: FilterName) => void;
}) {
  const t = useText(callsTexts);
  const shared = useText(sharedTexts);
  const nameOf = useProtocolName();
  const format = useFormat();
  const active = activeFilters(search);
  if (active.length === 0) return null;

  const labelOf = (name: FilterName): string => {
    switch (name) {
      case "failed":
        return t("failedOnly");
      case "losses":
        return t("withLosses");
      case "id":
        return t("callId");
      case "error_kind":
        return t("errorKind");
      case "account":
      case "access_key":
      case "model":
      case "channel":
      case "client_protocol":
      case "upstream_protocol":
      case "status":
      case "outcome":
      case "stream":
      case "min_charge":
        return t(name);
    }
  };
  const shownOf = (name: FilterName, value: string): string | undefined => {
    switch (name) {
      case "failed":
      case "losses":
        return undefined;
      case "account":
        return rows?.find(({ account_id }) => account_id === value)?.account_name ?? value;
      case "access_key":
        return rows?.find(({ access_key_id }) => access_key_id === value)?.access_key_name ?? value;
      case "outcome": {
        const outcome = outcomes.find((one) => one === value);
        return outcome ? shared(`outcome_${outcome}`) : value;
      }
      case "client_protocol":
      case "upstream_protocol": {
        const protocol = protocols.find((one) => one === value);
        return protocol ? nameOf(protocol) : value;
      }
      case "stream":
        return value === "true" ? t("streamed") : t("whole");
      case "min_charge":
        return /^[0-9]+$/.test(value) ? format.money(value) : value;
      case "model":
      case "channel":
      case "status":
      case "error_kind":
      case "id":
        return value;
    }
  };
  return (
    <Group gap={6} mb="sm">
      {active.map(([name, value]) => {
        const shown = shownOf(name, value);
        return (
          <span key={name} className={classes.pill}>
            <span>{labelOf(name)}</span>
            {shown !== undefined && <strong title={value}>{shown}</strong>}
            <ActionIcon
              variant="subtle"
              color="gray"
              size={24}
              radius="xl"
              aria-label={t("removeFilter", { name: labelOf(name) })}
              onClick={() => onRemove(name)}
            >
              <IconX size={13} />
            </ActionIcon>
          </span>
        );
      })}
    </Group>
  );
}
