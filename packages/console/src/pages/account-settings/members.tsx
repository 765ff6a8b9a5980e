import { Badge, Button, Drawer, Group, Select, Stack, Text } from "@mantine/core";
import { IconPlus, IconUsers } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useMay } from "../../app/account.ts";
import { useMe } from "../../app/session.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { urlOneOf, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { AddMember } from "./add-member.tsx";
import { loadMembers, type Member, type Role, roles, useMemberChanges } from "./member-api.ts";
import { MemberLink } from "./member-link.tsx";
import { accountSettingsTexts } from "./texts.ts";

const fields = { panel: urlOneOf("add") };

/** Who belongs to the account; owners add, change and remove. */
export function Members({ account }: { account: string }) {
  const t = useText(accountSettingsTexts);
  const s = useText(sharedTexts);
  const me = useMe().user.id;
  const isOwner = useMay("owner");
  const [{ panel }, setUrl] = useUrlState(fields);
  const [removing, setRemoving] = useState<Member>();
  const [issued, setIssued] = useState<{ link: string; expires_at: number; email: string }>();
  const { setRole, remove, inviteAgain } = useMemberChanges(account);
  const list = usePages(["members", account], (cursor) => loadMembers(account, cursor));

  // biome-ignore lint/correctness/useExhaustiveDependencies: changes do the same in every render
  const columns = useMemo<Column<Member>[]>(
    () => [
      { id: "member", header: t("columnMember"), cell: (member) => <Who member={member} isMe={member.user === me} /> },
      {
        id: "role",
        header: t("columnRole"),
        width: 160,
        cell: (member) =>
          isOwner ? (
            <Select
              aria-label={t("roleOf", { name: member.name })}
              size="xs"
              w={130}
              data={roles.map((value) => ({ value, label: t(`role_${value}`) }))}
              value={member.role}
              allowDeselect={false}
              onChange={(value) => {
                const role: Role = roles.find((each) => each === value) ?? member.role;
                if (role === member.role) return;
                setRole.mutate(
                  { member: member.user, role },
                  { onSuccess: () => notifyDone(t("roleChanged", { name: member.name, role: t(`role_${role}`) })) },
                );
              }}
            />
          ) : (
            t(`role_${member.role}`)
          ),
      },
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
        id: "seen",
        header: t("columnSeen"),
        width: 140,
        cell: ({ last_seen_at }) =>
          last_seen_at === null ? (
            <Text span fz="sm" c="dimmed">
              {t("never")}
            </Text>
          ) : (
            <Time at={last_seen_at} relative />
          ),
      },
      ...(isOwner
        ? [
            {
              id: "actions",
              header: t("columnActions"),
              align: "right" as const,
              width: 170,
              cell: (member: Member) => (
                <Group gap={4} justify="flex-end" wrap="nowrap">
                  {member.last_seen_at === null && !member.disabled && (
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      aria-label={t("inviteAgainOf", { name: member.name })}
                      onClick={() =>
                        inviteAgain.mutate(member.user, {
                          onSuccess: (link) => setIssued({ ...link, email: member.email }),
                        })
                      }
                    >
                      {t("inviteAgain")}
                    </Button>
                  )}
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="red"
                    aria-label={t("removeOf", { name: member.name })}
                    onClick={() => setRemoving(member)}
                  >
                    {t("remove")}
                  </Button>
                </Group>
              ),
            },
          ]
        : []),
    ],
    [t, isOwner, me],
  );
  const addButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ panel: "add" }, { push: true })}
    >
      {t("add")}
    </Button>
  );
  const name = removing?.name ?? "";
  return (
    <>
      {isOwner && (
        <Group justify="flex-end" mb="sm">
          {addButton}
        </Group>
      )}
      <DataTable
        label={t("membersList")}
        columns={columns}
        rowId={({ user }: Member) => user}
        minWidth={640}
        {...list}
        empty={
          <Empty
            icon={<IconUsers size={28} stroke={1.4} />}
            title={t("emptyTitle")}
            text={t("emptyText")}
            {...(isOwner && { action: addButton })}
          />
        }
      />
      <Confirm
        opened={removing !== undefined}
        title={t("removeTitle", { name })}
        text={t("removeText")}
        action={t("remove")}
        onConfirm={async () => {
          if (removing) await remove.mutateAsync(removing.user);
          notifyDone(t("removed", { name }));
        }}
        onClose={() => setRemoving(undefined)}
      />
      {panel === "add" && isOwner && (
        <Drawer
          opened
          onClose={() => setUrl({ panel: undefined })}
          title={t("addTitle")}
          size={460}
          closeOnClickOutside={false}
          closeButtonProps={{ "aria-label": s("close") }}
        >
          <AddMember account={account} onDone={() => setUrl({ panel: undefined })} />
        </Drawer>
      )}
      {issued && (
        <Drawer
          opened
          onClose={() => setIssued(undefined)}
          title={t("inviteAgain")}
          size={460}
          closeOnClickOutside={false}
          closeButtonProps={{ "aria-label": s("close") }}
        >
          <MemberLink
            link={issued.link}
            until={issued.expires_at}
            email={issued.email}
            onDone={() => setIssued(undefined)}
          />
        </Drawer>
      )}
    </>
  );
}

function Who({ member, isMe }: { member: Member; isMe: boolean }) {
  const t = useText(accountSettingsTexts);
  const badge = member.disabled ? "disabled" : member.invited_until === null ? (isMe ? "you" : undefined) : "invited";
  return (
    <Stack gap={0}>
      <Group gap={8} wrap="nowrap">
        <Text fz="sm" fw={550} truncate maw={260}>
          {member.name}
        </Text>
        {badge !== undefined && (
          <Badge variant="default" size="xs" radius="sm" tt="none" fw={500}>
            {t(badge)}
          </Badge>
        )}
      </Group>
      <Text fz="xs" c="dimmed" truncate maw={300}>
        {member.email}
      </Text>
    </Stack>
  );
}
