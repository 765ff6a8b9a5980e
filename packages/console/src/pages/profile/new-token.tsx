import { Alert, Button, Group, MultiSelect, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { type Me, useMe } from "../../app/session.ts";
import { CopyBlock } from "../../shared/copy.tsx";
import { useText } from "../../shared/text.ts";
import { profileProblem } from "./profile-problem.ts";
import { profileTexts } from "./texts.ts";

const roles = ["viewer", "member", "owner"] as const;
type Role = (typeof roles)[number];
const day = 86_400_000;
const expiries = ["30", "90", "365", "never"] as const;
type Expiry = (typeof expiries)[number];

/** Makes a token and shows it, this once. */
export function NewToken({ onMade, onDone }: { onMade: () => void; onDone: () => void }) {
  const t = useText(profileTexts);
  const me = useMe();
  const [made, setMade] = useState<string>();
  const [name, setName] = useState("");
  const [access, setAccess] = useState<"read" | "write">("read");
  const [everything, setEverything] = useState(me.user.operator);
  const [accounts, setAccounts] = useState<string[]>(() => me.memberships.slice(0, 1).map(({ account }) => account.id));
  const [role, setRole] = useState<Role>("viewer");
  const [expiry, setExpiry] = useState<Expiry>("90");
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const allowed = rolesIn(me, accounts);
  const chosen = allowed.includes(role) ? role : (allowed.at(-1) ?? "viewer");

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      const body = {
        name: name.trim(),
        access,
        role: everything ? ("operator" as const) : chosen,
        account_ids: everything ? null : accounts,
        expires_at: expiry === "never" ? null : Date.now() + Number(expiry) * day,
      };
      const { token } = await unwrap(api.POST("/api/v1/me/api-tokens", { body }));
      setMade(token);
      onMade();
    } catch (error) {
      setProblem(profileProblem(t, error));
    } finally {
      setBusy(false);
    }
  };

  if (made !== undefined) {
    return (
      <Stack gap="md">
        <Alert color="yellow" variant="light">
          {t("tokenOnce")}
        </Alert>
        <CopyBlock code={made} label={name} />
        <Text fz="sm">{t("tokenUse")}</Text>
        <CopyBlock code={`curl ${window.location.origin}/api/v1/me \\\n  -H "authorization: Bearer ${made}"`} />
        <Group justify="flex-end">
          <Button onClick={onDone}>{t("tokenDone")}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="md">
        {problem !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          label={t("tokenName")}
          placeholder={t("tokenNameHint")}
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Choice
          label={t("access")}
          value={access}
          onChange={setAccess}
          data={[
            { value: "read", label: t("read") },
            { value: "write", label: t("write") },
          ]}
        />
        {me.user.operator && me.memberships.length > 0 && (
          <Choice
            label={t("reach")}
            value={everything ? "installation" : "accounts"}
            onChange={(value) => setEverything(value === "installation")}
            data={[
              { value: "installation", label: t("installation") },
              { value: "accounts", label: t("someAccounts") },
            ]}
          />
        )}
        {!everything && (
          <>
            <MultiSelect
              label={t("accounts")}
              data={me.memberships.map(({ account }) => ({ value: account.id, label: account.name }))}
              value={accounts}
              onChange={setAccounts}
              searchable
            />
            <Select
              label={t("role")}
              data={allowed.map((value) => ({ value, label: t(`role_${value}`) }))}
              value={chosen}
              onChange={(value) => setRole(roles.find((known) => known === value) ?? "viewer")}
              allowDeselect={false}
            />
          </>
        )}
        <Select
          label={t("expires")}
          data={expiries.map((value) => ({ value, label: t(`expiry_${value}`) }))}
          value={expiry}
          onChange={(value) => setExpiry(expiries.find((known) => known === value) ?? "90")}
          allowDeselect={false}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={busy} disabled={name.trim() === "" || (!everything && accounts.length === 0)}>
            {t("createToken")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** One of few, side by side under a label. */
function Choice<Value extends string>({
  label,
  value,
  onChange,
  data,
}: {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  data: { value: Value; label: string }[];
}) {
  return (
    <Stack gap={4}>
      <Text fz="sm" fw={500} component="span" aria-hidden="true">
        {label}
      </Text>
      <SegmentedControl aria-label={label} value={value} onChange={onChange} data={data} fullWidth />
    </Stack>
  );
}

/** The roles that the user has in all of the accounts, weakest first. */
function rolesIn({ user, memberships }: Me, accounts: readonly string[]): readonly Role[] {
  if (user.operator) return roles;
  const ranks = memberships
    .filter(({ account }) => accounts.includes(account.id))
    .map(({ role }) => roles.indexOf(role));
  return roles.slice(0, Math.min(...ranks, roles.length - 1) + 1);
}
