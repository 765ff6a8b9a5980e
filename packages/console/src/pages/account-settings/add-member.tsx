import { Alert, Button, Group, Radio, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { ApiError } from "../../api/api-error.ts";
import { notifyDone } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import { type Role, roles, useMemberChanges } from "./member-api.ts";
import { MemberLink } from "./member-link.tsx";
import { accountSettingsTexts } from "./texts.ts";

/** Who is added, and as what; then the link to send, where the person is new here. */
export function AddMember({ account, onDone }: { account: string; onDone: () => void }) {
  const t = useText(accountSettingsTexts);
  const { add } = useMemberChanges(account);
  const [email, setEmail] = useState("");
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invitation = add.data?.invitation;
  if (invitation) {
    return <MemberLink link={invitation.link} until={invitation.expires_at} email={email} onDone={onDone} />;
  }
  const refused = add.error instanceof ApiError ? add.error : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { email: email.trim(), role_in_account: role, ...(name.trim() && { name: name.trim() }) },
      {
        onSuccess({ member, invitation: link }) {
          if (link) return;
          notifyDone(t("added", { name: member.name }));
          onDone();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {add.error && refused?.field !== "email" && (
          <Alert color="red" variant="light" role="alert">
            {add.error.message}
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
          error={refused?.field === "email" && refused.message}
        />
        <TextInput
          label={t("name")}
          description={t("nameText")}
          maxLength={100}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Radio.Group
          label={t("role")}
          value={role}
          onChange={(value) => setRole(roles.find((each) => each === value) ?? "member")}
        >
          <Stack gap="xs" mt="xs">
            {roles.map((value) => (
              <Radio key={value} value={value} label={t(`role_${value}`)} description={t(`roleText_${value}`)} />
            ))}
          </Stack>
        </Radio.Group>
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending}>
            {t("addButton")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
