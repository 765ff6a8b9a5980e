import { Select, type SelectProps } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useText } from "../../shared/text.ts";
import { accountsQuery } from "./routing-api.ts";
import { routingTexts } from "./texts.ts";

/** Finds an account by the first letters of its name, or by its id; empty for any. */
export function AccountSelect({
  value,
  name,
  onChange,
  ...props
}: Pick<SelectProps, "error" | "flex"> & {
  /** An id, or empty. */
  value: string;
  /** Of the account that was chosen before, where it is known. */
  name?: string | undefined;
  onChange: (id: string) => void;
}) {
  const t = useText(routingTexts);
  const [search, setSearch] = useState("");
  const [settled] = useDebouncedValue(search.trim(), 250);
  const found = useQuery({ ...accountsQuery(settled), placeholderData: keepPreviousData });
  const items = (found.data ?? []).map(({ id, name: label }) => ({ value: id, label }));
  const chosen = value === "" || items.some((item) => item.value === value) ? [] : [{ value, label: name ?? value }];
  return (
    <Select
      label={t("account")}
      placeholder={t("any")}
      searchable
      clearable
      data={[...items, ...chosen]}
      // What was found fits already, be it by an id.
      filter={({ options }) => options}
      value={value === "" ? null : value}
      onChange={(id) => onChange(id ?? "")}
      onSearchChange={setSearch}
      clearButtonProps={{ "aria-label": t("any") }}
      {...props}
    />
  );
}
