import { Loader, Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useText } from "../../shared/text.ts";
import { type AccessKey, keyQuery, keysQueryKey, loadKeys } from "../keys/key-api.ts";
import { connectTexts } from "./texts.ts";

/** One of the account's enabled keys, found by the gateway: there may be hundreds of thousands. */
export function KeyChoice({
  account,
  value,
  onChange,
}: {
  account: string;
  /** The key's id. */
  value: string | undefined;
  onChange: (key: string | undefined) => void;
}) {
  const t = useText(connectTexts);
  const [typed, setTyped] = useState("");
  const chosen = useQuery({ ...keyQuery(account, value ?? ""), enabled: value !== undefined });
  const [search] = useDebouncedValue(typed === chosen.data?.name ? "" : typed.trim(), 200);
  const query = { state: "enabled", limit: 30, sort: "used", ...(search !== "" && { search }) } as const;
  const found = useQuery({ queryKey: keysQueryKey(account, query), queryFn: () => loadKeys(account, query) });
  const keys = withChosen(found.data?.items ?? [], chosen.data);
  return (
    <Select
      label={t("key")}
      placeholder={t("keyPlaceholder")}
      data={keys.map(({ id, name }) => ({ value: id, label: name }))}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchable
      clearable
      searchValue={typed}
      onSearchChange={setTyped}
      // The gateway has looked already.
      filter={({ options }) => options}
      nothingFoundMessage={found.isPending ? <Loader size="xs" /> : t("noKeys")}
      maxDropdownHeight={320}
    />
  );
}

function withChosen(keys: readonly AccessKey[], chosen: AccessKey | undefined): readonly AccessKey[] {
  return chosen === undefined || keys.some(({ id }) => id === chosen.id) ? keys : [chosen, ...keys];
}
