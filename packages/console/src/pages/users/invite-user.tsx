import { Alert, Button, Group, Select, Stack, Switch, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { useText } from "../../shared/text.ts";
import { LinkShown } from "./link-shown.tsx";
import { usersTexts } from "./texts.ts";
import { type Role, roles, useUserChanges } from "./user-api.ts";

/** Who is invited, then the link to send. */
export function InviteUser({ account: first, onDone }: { account: string; onDone: () => void }) {
  const t = useText(usersTexts);
  const { invite } = useUserChanges();
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [operator, setOperator] = useState(false);
  const [account, setAccount] = useState(first);
  const [role, setRole] = useState<Role>("member");
  const { error, data } = invite;
  if (data) return <LinkShown link={data.link} until={data.expires_at} email={email} onDone={onDone} />;
  const refused = error instanceof ApiError ? error : undefined;
  const errorOf = (field: string) => (refused?.field === field ? refused.message : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const id = account.trim();
    invite.mutate({
      email: email.trim(),
      name: name.trim(),
      is_operator: operator,
      ...(id !== "" && { membership: { account: id, role_in_account: role } }),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && !["email", "name", "account"].includes(refused?.field ?? "") && (
          <Alert color="red" variant="light" role="alert">
            {error.message}
          </Alert>
        )}
        <TextInput
          label={t("email")}
          type="email"
          required
          data-autofocus
          maxLength={254}
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={errorOf("email")}
        />
        <TextInput
          label={t("name")}
          required
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={errorOf("name")}
        />
        <TextInput
          label={t("account")}
          description={t("accountText")}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          value={account}
          onChange={(event) => setAccount(event.currentTarget.value)}
          error={errorOf("account")}
        />
        {account.trim() !== "" && (
          <Select
            label={t("role")}
            data={roles.map((value) => ({ value, label: t(`role_${value}`) }))}
            value={role}
            allowDeselect={false}
            onChange={(value) => setRole(roles.find((each) => each === value) ?? "member")}
          />
        )}
        <Switch
          label={t("isOperator")}
          description={t("isOperatorText")}
          checked={operator}
          onChange={(event) => setOperator(event.currentTarget.checked)}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={invite.isPending}>
            {t("inviteButton")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
