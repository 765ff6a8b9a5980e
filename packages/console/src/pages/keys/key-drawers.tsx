import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Confirm } from "../../shared/confirm.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { type AccessKey, keyQuery, useKeyChanges } from "./key-api.ts";
import type { KeyActions } from "./key-columns.tsx";
import { KeyDetails } from "./key-details.tsx";
import { KeyForm } from "./key-form.tsx";
import { fieldsOf, newKeyFields } from "./key-settings.ts";
import { RotateKey } from "./rotate-key.tsx";
import { SecretShown } from "./secret-shown.tsx";
import { keysTexts } from "./texts.ts";

/** What stands beside the list: a form, a key's details, or a question about it. */
export type KeyPanel = "create" | "details" | "edit" | "rotate" | "revoke";

/** One drawer to make a key: its fields, then its secret. */
export function CreateKeyDrawer({
  account,
  onClose,
  onMade,
}: {
  account: string;
  onClose: () => void;
  onMade?: (made: { id: string; secret: string }) => void;
}) {
  const t = useText(keysTexts);
  const s = useText(sharedTexts);
  const { create } = useKeyChanges(account);
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const close = () => {
    if (made) onMade?.(made);
    onClose();
  };
  return (
    <Drawer
      opened
      onClose={close}
      size={520}
      title={made ? t("secretTitle") : t("createTitle")}
      closeButtonProps={{ "aria-label": s("close") }}
      closeOnClickOutside={!made}
    >
      {made ? (
        <SecretShown account={account} keyId={made.id} secret={made.secret} onDone={close} />
      ) : (
        <KeyForm
          initial={newKeyFields}
          action={t("create")}
          busy={create.isPending}
          error={create.error}
          onSubmit={(settings) =>
            create.mutate(settings, { onSuccess: ({ key, secret }) => setMade({ id: key.id, secret }) })
          }
        />
      )}
    </Drawer>
  );
}

/** The panel of one key, by what the address says. */
export function KeyPanels({
  account,
  keyId,
  panel,
  actions,
  onClose,
}: {
  account: string;
  keyId: string;
  panel: Exclude<KeyPanel, "create">;
  actions: KeyActions;
  onClose: () => void;
}) {
  const t = useText(keysTexts);
  const s = useText(sharedTexts);
  const query = useQuery(keyQuery(account, keyId));
  const { change, revoke } = useKeyChanges(account);
  const key: AccessKey | undefined = query.data;
  const name = key?.name ?? "…";
  if (key && actions.mayChange && panel === "rotate") {
    return <RotateKey keyShown={key} account={account} onClose={onClose} />;
  }
  if (key && actions.mayChange && panel === "revoke") {
    return (
      <Confirm
        opened
        title={t("revokeTitle", { name })}
        text={t("revokeText")}
        name={name}
        action={t("revoke")}
        onConfirm={async () => {
          await revoke.mutateAsync(key);
          notifyDone(t("revoked", { name }));
        }}
        onClose={onClose}
      />
    );
  }
  const editing = panel === "edit" && actions.mayChange;
  return (
    <Drawer
      opened
      onClose={onClose}
      size={520}
      title={editing ? t("editTitle", { name }) : t("details", { name })}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <Loaded query={query}>
        {(found) =>
          editing ? (
            <KeyForm
              initial={fieldsOf(found)}
              action={t("save")}
              busy={change.isPending}
              error={change.error}
              onSubmit={(body) =>
                change.mutate(
                  { key: found.id, body },
                  {
                    onSuccess: (changed) => {
                      notifyDone(t("saved", { name: changed.name }));
                      onClose();
                    },
                  },
                )
              }
            />
          ) : (
            <KeyDetails keyShown={found} account={account} actions={actions} />
          )
        }
      </Loaded>
    </Drawer>
  );
}
