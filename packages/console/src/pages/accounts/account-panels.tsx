import { Drawer } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { accountQuery, useAccountChanges } from "./account-api.ts";
import { fieldsOf, newAccountFields } from "./account-fields.ts";
import { AccountForm } from "./account-form.tsx";
import { CreditForm } from "./credit-form.tsx";
import { accountsTexts } from "./texts.ts";

/** A drawer in which an account is made. */
export function CreateAccount({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  const { create } = useAccountChanges();
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t("createTitle")}
      size={460}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <AccountForm
        initial={newAccountFields}
        action={t("createButton")}
        busy={create.isPending}
        error={create.error}
        onSubmit={(settings) =>
          create.mutate(settings, {
            onSuccess: ({ id, name }) => {
              notifyDone(t("made", { name }));
              onMade(id);
            },
          })
        }
      />
    </Drawer>
  );
}

/** A drawer in which an account is changed or credited. */
export function AccountPanel({
  account,
  panel,
  onClose,
}: {
  account: string;
  panel: "edit" | "credit";
  onClose: () => void;
}) {
  const t = useText(accountsTexts);
  const s = useText(sharedTexts);
  const query = useQuery(accountQuery(account));
  const { change } = useAccountChanges();
  const name = query.data?.name ?? "…";
  return (
    <Drawer
      opened
      onClose={onClose}
      title={panel === "edit" ? t("editTitle", { name }) : t("creditTitle", { name })}
      size={460}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <Loaded query={query}>
        {(found) =>
          panel === "credit" ? (
            <CreditForm account={found} onDone={onClose} />
          ) : (
            <AccountForm
              initial={fieldsOf(found)}
              action={s("save")}
              busy={change.isPending}
              error={change.error}
              onSubmit={(body) =>
                change.mutate(
                  { account, body },
                  {
                    onSuccess: (changed) => {
                      notifyDone(t("saved", { name: changed.name }));
                      onClose();
                    },
                  },
                )
              }
            />
          )
        }
      </Loaded>
    </Drawer>
  );
}
