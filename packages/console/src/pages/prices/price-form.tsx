import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { api, unwrap } from "../../api/client.ts";
import { parseDollars } from "../../shared/dollars.ts";
import { ModelInput } from "../../shared/model-input.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { pricesTexts } from "./texts.ts";

const amounts = ["input", "output", "cache_read", "cache_write", "reasoning"] as const;
type Amount = (typeof amounts)[number] | "request";
const isNeeded = (name: Amount) => name === "input" || name === "output";

/** A price of a model, from now on. */
export function PriceForm({ model: first, onDone }: { model: string; onDone: () => void }) {
  const t = useText(pricesTexts);
  const queries = useQueryClient();
  const [model, setModel] = useState(first);
  const [channel, setChannel] = useState("");
  const [typed, setTyped] = useState<Partial<Record<Amount, string>>>({});
  const [tried, setTried] = useState(false);
  const set = useMutation({
    mutationFn: (nano: Partial<Record<Amount, string>>) => {
      const { request, input = "0", output = "0", ...others } = nano;
      return unwrap(
        api.POST("/api/v1/price-versions", {
          body: {
            model: model.trim(),
            channel: channel.trim() === "" ? null : channel.trim(),
            prices: { input, output, ...others },
            ...(request !== undefined && { per_request: request }),
          },
        }),
      );
    },
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ["prices"] });
      notifyDone(t("set_done", { model: model.trim() }));
      onDone();
    },
  });
  const refused = set.error instanceof ApiError ? set.error : undefined;
  const badOf = (name: Amount): boolean => {
    const text = typed[name]?.trim() ?? "";
    return text === "" ? isNeeded(name) : parseDollars(text) === undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const names: readonly Amount[] = [...amounts, "request"];
    if (names.some(badOf)) return;
    const nano = names.flatMap((name) => {
      const text = typed[name]?.trim() ?? "";
      const parsed = text === "" ? undefined : parseDollars(text);
      return parsed === undefined ? [] : [[name, parsed] as const];
    });
    set.mutate(Object.fromEntries(nano));
  };
  const input = (name: Amount) => (
    <TextInput
      key={name}
      label={t(name)}
      inputMode="decimal"
      leftSection="$"
      required={isNeeded(name)}
      value={typed[name] ?? ""}
      onChange={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [name]: value }))}
      error={tried && badOf(name) && t("badAmount")}
    />
  );
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text fz="sm" c="dimmed">
          {t("setText")}
        </Text>
        {set.error && (
          <Alert color="red" variant="light" role="alert">
            {refused?.message ?? set.error.message}
          </Alert>
        )}
        <Stack gap={4}>
          <ModelInput label={t("model")} value={model} onChange={setModel} />
          <Text fz="xs" c="dimmed">
            {t("modelText")}
          </Text>
        </Stack>
        <TextInput
          label={t("channel")}
          description={t("channelText")}
          maxLength={64}
          value={channel}
          onChange={(event) => setChannel(event.currentTarget.value)}
        />
        <Stack gap="xs" component="fieldset" bd={0} p={0} m={0}>
          <Text component="legend" fz="sm" fw={600} p={0}>
            {t("perMillionTitle")}
          </Text>
          {amounts.slice(0, 2).map(input)}
          <Text fz="xs" c="dimmed">
            {t("optionalText")}
          </Text>
          {amounts.slice(2).map(input)}
        </Stack>
        {input("request")}
        <Group justify="flex-end">
          <Button type="submit" loading={set.isPending} disabled={model.trim() === ""}>
            {t("setButton")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
