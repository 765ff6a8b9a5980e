import { Button, Group, Paper, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import { useMay } from "../../app/account.ts";
import { useFormat } from "../../shared/format.ts";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { moneyKeys } from "./balance-data.ts";
import { balanceTexts } from "./texts.ts";

/** Turns a code into money. Why a code is not good is told to nobody. */
export function RedeemCode({ account }: { account: string }) {
  const t = useText(balanceTexts);
  const format = useFormat();
  const queries = useQueryClient();
  const may = useMay("member");
  const [code, setCode] = useState("");
  const redeem = useMutation({
    mutationFn: () =>
      unwrap(
        api.POST("/api/v1/accounts/{account}/redemptions", {
          params: { path: { account } },
          body: { code: code.trim() },
        }),
      ),
    async onSuccess({ amount }) {
      setCode("");
      notifyDone(t("redeemed", { amount: format.money(amount) }));
      await Promise.all(
        [moneyKeys.balance(account), moneyKeys.ledger(account), ["alerts", account], ["overview", account]].map(
          (queryKey) => queries.invalidateQueries({ queryKey }),
        ),
      );
    },
    onError(error) {
      if (!isRefused(error)) notifyFailed(error);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== "") redeem.mutate();
  };
  const refused = isRefused(redeem.error) ? redeem.error : undefined;
  return (
    <Paper p="md" component="section">
      <Title order={2}>{t("redeemTitle")}</Title>
      <Text fz="sm" c="dimmed" mb="sm">
        {may ? t("redeemText") : t("mayNotRedeem")}
      </Text>
      {may && (
        <form onSubmit={submit}>
          <Group align="flex-end" gap="xs" wrap="nowrap">
            <TextInput
              label={t("code")}
              placeholder="ilr_"
              flex={1}
              autoComplete="off"
              spellCheck={false}
              maxLength={200}
              value={code}
              error={refused && (refused.status === 429 ? t("tooManyTries") : t("codeNotGood"))}
              inputWrapperOrder={["label", "error", "input"]}
              onChange={(event) => {
                setCode(event.currentTarget.value);
                if (redeem.isError) redeem.reset();
              }}
            />
            <Button type="submit" loading={redeem.isPending} disabled={code.trim() === ""}>
              {t("redeem")}
            </Button>
          </Group>
        </form>
      )}
    </Paper>
  );
}

function isRefused(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === "code_not_good" || error.code === "too_many_tries");
}
