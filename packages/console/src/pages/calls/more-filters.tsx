import { Button, Checkbox, Group, Popover, Select, SimpleGrid, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFilter } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { dollarsOf, parseDollars } from "../../shared/dollars.ts";
import { protocols } from "../../shared/gateway-call.ts";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { type CallSearch, errorKinds, outcomes } from "./call-search.ts";
import type { CallSearchChange } from "./range-picker.tsx";
import { callsTexts } from "./texts.ts";

const statuses = ["2xx", "4xx", "5xx", "400", "401", "403", "404", "429", "500", "502", "503", "504", "529"];

/** All that the list can be filtered by, in one place. */
export function MoreFilters({
  search,
  onChange,
}: {
  search: CallSearch;
  onChange: (change: CallSearchChange) => void;
}) {
  const t = useText(callsTexts);
  const shared = useText(sharedTexts);
  const nameOf = useProtocolName();
  const [opened, { toggle, close }] = useDisclosure(false);
  const protocolData = protocols.map((value) => ({ value, label: nameOf(value) }));
  const inside = { comboboxProps: { withinPortal: false }, clearable: true } as const;
  return (
    <Popover
      opened={opened}
      onChange={(open) => !open && close()}
      width={420}
      position="bottom-start"
      shadow="md"
      trapFocus
    >
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={15} aria-hidden="true" />} onClick={toggle}>
          {t("filters")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 32px)" aria-label={t("filters")}>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" verticalSpacing="xs">
          <Select
            {...inside}
            label={t("status")}
            placeholder={t("anyStatus")}
            data={statuses.includes(search.status ?? "2xx") ? statuses : [...statuses, search.status ?? ""]}
            value={search.status ?? null}
            onChange={(value) => onChange({ status: value ?? undefined })}
          />
          <Select
            {...inside}
            label={t("outcome")}
            placeholder={t("anyOutcome")}
            data={outcomes.map((value) => ({ value, label: shared(`outcome_${value}`) }))}
            value={search.outcome ?? null}
            onChange={(value) => onChange({ outcome: outcomes.find((one) => one === value) })}
          />
          <Typed label={t("model")} value={search.model} onType={(model) => onChange({ model })} />
          <Typed label={t("channel")} value={search.channel} onType={(channel) => onChange({ channel })} />
          <Select
            {...inside}
            label={t("client_protocol")}
            placeholder={t("anyProtocol")}
            data={protocolData}
            value={search.client_protocol ?? null}
            onChange={(value) => onChange({ client_protocol: protocols.find((one) => one === value) })}
          />
          <Select
            {...inside}
            label={t("upstream_protocol")}
            placeholder={t("anyProtocol")}
            data={protocolData}
            value={search.upstream_protocol ?? null}
            onChange={(value) => onChange({ upstream_protocol: protocols.find((one) => one === value) })}
          />
          <Select
            {...inside}
            label={t("errorKind")}
            placeholder={t("anyError")}
            data={[...errorKinds]}
            value={search.error_kind ?? null}
            onChange={(value) => onChange({ error_kind: errorKinds.find((one) => one === value) })}
          />
          <Select
            {...inside}
            label={t("stream")}
            placeholder={t("anyStream")}
            data={[
              { value: "true", label: t("streamed") },
              { value: "false", label: t("whole") },
            ]}
            value={search.stream ?? null}
            onChange={(value) => onChange({ stream: value === "true" || value === "false" ? value : undefined })}
          />
          <Typed
            label={t("min_charge")}
            placeholder={t("minChargeHint")}
            value={/^[0-9]+$/.test(search.min_charge ?? "") ? dollarsOf(search.min_charge ?? "") : undefined}
            onType={(dollars) => onChange({ min_charge: dollars === undefined ? undefined : parseDollars(dollars) })}
          />
          <Typed label={t("access_key")} value={search.access_key} onType={(key) => onChange({ access_key: key })} />
        </SimpleGrid>
        <Group justify="space-between" mt="md">
          <Checkbox
            label={t("withLosses")}
            checked={search.losses === true}
            onChange={(event) => onChange({ losses: event.currentTarget.checked ? true : undefined })}
          />
          <Button size="xs" onClick={close}>
            {t("done")}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

/** A text that filters once it is typed: by Enter, or when the field is left. */
export function Typed({
  label,
  placeholder,
  value,
  onType,
  width,
}: {
  label: string;
  placeholder?: string;
  value: string | undefined;
  onType: (value: string | undefined) => void;
  width?: number;
}) {
  const [text, setText] = useState(value ?? "");
  useEffect(() => setText(value ?? ""), [value]);
  const tell = () => {
    const typed = text.trim();
    if (typed !== (value ?? "")) onType(typed === "" ? undefined : typed);
  };
  return (
    <TextInput
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      {...(width !== undefined && { w: width })}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={tell}
      onKeyDown={(event) => {
        if (event.key === "Enter") tell();
      }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
