import { Badge, Group, Stack, Text } from "@mantine/core";
import type { Column } from "../../shared/data-table.tsx";
import type { Say } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import type { usersTexts } from "./texts.ts";
import type { User } from "./user-api.ts";
import classes from "./users.module.css";

export type UsersText = Say<(typeof usersTexts)["texts"]>;

/** Accounts that a row names before it only counts them. */
const shownAccounts = 2;

export function userColumns(t: UsersText): Column<User>[] {
  return [
    {
      id: "user",
      header: t("columnUser"),
      cell: (user) => (
        <Stack gap={0}>
          <Group gap={8} wrap="nowrap">
            <Text fz="sm" fw={550} truncate maw={260}>
              {user.name}
            </Text>
            {user.operator && <OperatorBadge t={t} />}
          </Group>
          <Text fz="xs" c="dimmed" truncate maw={320}>
            {user.email}
          </Text>
        </Stack>
      ),
    },
    { id: "state", header: t("columnState"), width: 160, cell: (user) => <UserState user={user} t={t} /> },
    {
      id: "factor",
      header: t("columnSecondFactor"),
      width: 130,
      cell: ({ two_factor_enabled }) => (
        <Text span fz="sm" {...(!two_factor_enabled && { c: "dimmed" })}>
          {t(two_factor_enabled ? "on" : "off")}
        </Text>
      ),
    },
    {
      id: "accounts",
      header: t("columnAccounts"),
      cell: ({ memberships }) =>
        memberships.length === 0 ? (
          <Text span fz="sm" c="dimmed">
            {t("noAccounts")}
          </Text>
        ) : (
          <Text
            span
            fz="sm"
            title={memberships.map(({ account, role }) => `${account.name}: ${t(`role_${role}`)}`).join("\n")}
          >
            {memberships
              .slice(0, shownAccounts)
              .map(({ account, role }) => `${account.name} (${t(`role_${role}`)})`)
              .join(", ")}
            {memberships.length > shownAccounts && ` +${memberships.length - shownAccounts}`}
          </Text>
        ),
    },
    {
      id: "seen",
      header: t("columnSeen"),
      width: 130,
      cell: ({ last_seen_at }) =>
        last_seen_at === null ? (
          <Text span fz="sm" c="dimmed">
            {t("never")}
          </Text>
        ) : (
          <Time at={last_seen_at} relative />
        ),
    },
  ];
}

function OperatorBadge({ t }: { t: UsersText }) {
  return (
    <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
      {t("operator")}
    </Badge>
  );
}

/** A dot and a word. */
export function UserState({ user, t }: { user: User; t: UsersText }) {
  const state =
    user.disabled_at !== null ? "disabled" : user.can_sign_in ? "active" : user.invited_until ? "invited" : "stuck";
  const tone = { active: "good", invited: "warn", stuck: "bad", disabled: "none" } as const;
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <span className={classes.dot} data-tone={tone[state]} aria-hidden="true" />
      <Text span fz="sm">
        {t(`state_${state}`)}
      </Text>
    </Group>
  );
}
