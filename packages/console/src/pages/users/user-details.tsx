import { ActionIcon, Button, Group, Select, Stack, Table, Text, TextInput, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { Confirm } from "../../shared/confirm.tsx";
import { CopyId } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { LinkShown } from "./link-shown.tsx";
import { usersTexts } from "./texts.ts";
import { type Role, roles, type User, useUserChanges } from "./user-api.ts";
import { UserState } from "./user-columns.tsx";

type Action = "makeOperator" | "endOperator" | "disable" | "newLink" | "endSessions" | "removeFactor";

/** One user: what is known, the accounts, and what can be done. */
export function UserDetails({ user }: { user: User }) {
  const t = useText(usersTexts);
  const { link } = useUserChanges();
  const [issued, setIssued] = useState<{ link: string; expires_at: number }>();
  if (issued) {
    return (
      <LinkShown link={issued.link} until={issued.expires_at} email={user.email} onDone={() => setIssued(undefined)} />
    );
  }
  return (
    <Stack gap="xl">
      <Facts user={user} />
      <Memberships user={user} />
      <section>
        <Title order={3} mb="xs">
          {t("actions")}
        </Title>
        <Actions user={user} onLink={async () => setIssued(await link.mutateAsync(user.id))} />
      </section>
    </Stack>
  );
}

function Facts({ user }: { user: User }) {
  const t = useText(usersTexts);
  const format = useFormat();
  const rows: [string, ReactNode][] = [
    [t("columnState"), <UserState key="state" user={user} t={t} />],
    [t("email"), user.email],
    [t("id"), <CopyId key="id" value={user.id} />],
    [t("isOperator"), t(user.operator ? "on" : "off")],
    [t("columnSecondFactor"), t(user.two_factor_enabled ? "on" : "off")],
    [t("sessions"), format.count(user.sessions)],
    [t("columnSeen"), user.last_seen_at === null ? t("never") : <Time key="seen" at={user.last_seen_at} />],
    [t("created"), <Time key="created" at={user.created_at} />],
    ...(user.invited_until === null
      ? []
      : [[t("invitedUntil"), <Time key="invited" at={user.invited_until} />] satisfies [string, ReactNode]]),
  ];
  return (
    <section>
      <Title order={3} mb="xs">
        {t("facts")}
      </Title>
      <Table variant="vertical" layout="fixed" withTableBorder fz="sm">
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w={150} fw={500}>
                {name}
              </Table.Th>
              <Table.Td>{value}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function Memberships({ user }: { user: User }) {
  const t = useText(usersTexts);
  const { setRole } = useUserChanges();
  const [account, setAccount] = useState("");
  const [role, setRoleToGive] = useState<Role>("member");
  const choices = roles.map((value) => ({ value, label: t(`role_${value}`) }));
  const roleOf = (value: string | null): Role => roles.find((each) => each === value) ?? "viewer";
  return (
    <section>
      <Title order={3} mb="xs">
        {t("memberships")}
      </Title>
      <Stack gap="xs">
        {user.memberships.length === 0 && (
          <Text fz="sm" c="dimmed">
            {t("noAccounts")}
          </Text>
        )}
        {user.memberships.map(({ account: { id, name }, role: has }) => (
          <Group key={id} gap="xs" wrap="nowrap">
            <Text fz="sm" flex={1} truncate title={id}>
              {name}
            </Text>
            <Select
              aria-label={t("roleIn", { account: name })}
              size="xs"
              w={130}
              data={choices}
              value={has}
              allowDeselect={false}
              onChange={(value) => setRole.mutate({ user: user.id, account: id, role: roleOf(value) })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("removeFrom", { account: name })}
              onClick={() => setRole.mutate({ user: user.id, account: id, role: null })}
            >
              <IconX size={15} />
            </ActionIcon>
          </Group>
        ))}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setRole.mutate({ user: user.id, account: account.trim(), role }, { onSuccess: () => setAccount("") });
          }}
        >
          <Group gap="xs" wrap="nowrap" align="flex-end">
            <TextInput
              label={t("addMembership")}
              placeholder="acct_…"
              flex={1}
              required
              withAsterisk={false}
              autoComplete="off"
              spellCheck={false}
              value={account}
              onChange={(event) => setAccount(event.currentTarget.value)}
            />
            <Select
              aria-label={t("role")}
              w={130}
              data={choices}
              value={role}
              allowDeselect={false}
              onChange={(value) => setRoleToGive(roleOf(value))}
            />
            <Button type="submit" variant="default" loading={setRole.isPending}>
              {t("add")}
            </Button>
          </Group>
        </form>
      </Stack>
    </section>
  );
}

function Actions({ user, onLink }: { user: User; onLink: () => Promise<void> }) {
  const t = useText(usersTexts);
  const { change, endSessions, removeFactor } = useUserChanges();
  const [asked, setAsked] = useState<Action>();
  const { id, name } = user;
  const told = () => notifyDone(t("changed", { name }));
  const run: Record<Action, () => Promise<unknown>> = {
    makeOperator: () => change.mutateAsync({ user: id, body: { is_operator: true } }).then(told),
    endOperator: () => change.mutateAsync({ user: id, body: { is_operator: false } }).then(told),
    disable: () => change.mutateAsync({ user: id, body: { disabled: true } }).then(told),
    newLink: onLink,
    endSessions: () => endSessions.mutateAsync(id).then(() => notifyDone(t("sessionsEnded", { name }))),
    removeFactor: () => removeFactor.mutateAsync(id).then(told),
  };
  const button = (action: Action, red = false) => (
    <Button
      key={action}
      variant="default"
      size="xs"
      {...(red && { c: "var(--console-bad)" })}
      onClick={() => setAsked(action)}
    >
      {t(action)}
    </Button>
  );
  return (
    <Group gap="xs">
      {button("newLink")}
      {user.sessions > 0 && button("endSessions")}
      {user.two_factor_enabled && button("removeFactor")}
      {user.operator ? button("endOperator", true) : button("makeOperator")}
      {user.disabled_at === null ? (
        button("disable", true)
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={change.isPending}
          onClick={() => change.mutate({ user: id, body: { disabled: false } }, { onSuccess: told })}
        >
          {t("enable")}
        </Button>
      )}
      {asked !== undefined && (
        <Confirm
          opened
          title={t(asked)}
          text={t(`${asked}Text`, { name })}
          action={t(asked)}
          onConfirm={run[asked]}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Group>
  );
}
