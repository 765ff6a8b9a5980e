import { ActionIcon, Button, Group, Modal, Popover, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBookmark, IconPencil, IconTrash } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ApiError, api, unwrap } from "../../api/client.ts";
import type { PageScope } from "../../app/account.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import classes from "./calls.module.css";
import { callsTexts } from "./texts.ts";

type Search = Readonly<Record<string, string>>;
interface View {
  id: string;
  name: string;
  search: Readonly<Record<string, string | number | boolean>>;
}

/** The reader's own sets of filters. `search`: the parameters of the address as they are now. */
export function SavedViews({
  scope,
  search,
  onOpen,
}: {
  scope: PageScope;
  search: Search;
  onOpen: (search: Search) => void;
}) {
  const t = useText(callsTexts);
  const queries = useQueryClient();
  const [opened, { toggle, close }] = useDisclosure(false);
  const [naming, setNaming] = useState<{ view: View | undefined } | undefined>();
  const queryKey = ["saved-views", scope];
  const views = useQuery({ queryKey, queryFn: () => listViews(scope), enabled: opened, staleTime: 60_000 });
  const reload = () => queries.invalidateQueries({ queryKey });
  const remove = async (view: View) => {
    try {
      await deleteView(scope, view.id);
      notifyDone(t("viewDeleted", { name: view.name }));
    } catch (error) {
      notifyFailed(error);
    }
    await reload();
  };
  return (
    <>
      <Popover
        opened={opened}
        onChange={(open) => !open && close()}
        position="bottom-end"
        width={300}
        shadow="md"
        trapFocus
      >
        <Popover.Target>
          <Button variant="default" leftSection={<IconBookmark size={15} aria-hidden="true" />} onClick={toggle}>
            {t("views")}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="xs" aria-label={t("views")}>
          {views.error && <LoadFailed error={views.error} onRetry={() => void views.refetch()} />}
          {views.data?.length === 0 && (
            <Text fz="sm" c="dimmed" px="xs" py={4}>
              {t("noViews")}
            </Text>
          )}
          <Stack gap={2} className={classes.views}>
            {views.data?.map((view) => (
              <Group key={view.id} gap={2} wrap="nowrap">
                <Button
                  variant="subtle"
                  color="gray"
                  justify="flex-start"
                  flex={1}
                  miw={0}
                  size="compact-md"
                  onClick={() => {
                    close();
                    onOpen(textsOf(view.search));
                  }}
                >
                  {view.name}
                </Button>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("renameView", { name: view.name })}
                  onClick={() => {
                    close();
                    setNaming({ view });
                  }}
                >
                  <IconPencil size={15} />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t("deleteView", { name: view.name })}
                  onClick={() => void remove(view)}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </Group>
            ))}
          </Stack>
          <Button
            mt={6}
            fullWidth
            variant="light"
            size="xs"
            onClick={() => {
              close();
              setNaming({ view: undefined });
            }}
          >
            {t("saveView")}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {naming && (
        <NameView
          scope={scope}
          view={naming.view}
          search={search}
          onClose={() => setNaming(undefined)}
          onDone={() => void reload()}
        />
      )}
    </>
  );
}

function NameView({
  scope,
  view,
  search,
  onClose,
  onDone,
}: {
  scope: PageScope;
  view: View | undefined;
  search: Search;
  onClose: () => void;
  onDone: () => void;
}) {
  const t = useText(callsTexts);
  const shared = useText(sharedTexts);
  const [name, setName] = useState(view?.name ?? "");
  const [wrong, setWrong] = useState<string>();
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      if (view) await renameView(scope, view.id, name);
      else await createView(scope, { name, search });
      notifyDone(t("viewSaved", { name }));
      onDone();
      onClose();
    } catch (error) {
      if (error instanceof ApiError && error.field !== undefined) setWrong(error.message);
      else notifyFailed(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={view ? t("renameViewTitle") : t("saveViewTitle")}
      closeButtonProps={{ "aria-label": shared("close") }}
    >
      <form onSubmit={(event) => void save(event)}>
        <Stack>
          <TextInput
            label={t("viewName")}
            placeholder={t("viewNameHint")}
            required
            maxLength={80}
            value={name}
            error={wrong}
            onChange={(event) => {
              setName(event.currentTarget.value);
              setWrong(undefined);
            }}
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {shared("cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={name.trim() === ""}>
              {shared("save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function textsOf(search: View["search"]): Search {
  return Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]));
}

async function listViews(scope: PageScope): Promise<View[]> {
  const { items } = await (scope.kind === "installation"
    ? unwrap(api.GET("/api/v1/saved-views"))
    : unwrap(api.GET("/api/v1/accounts/{account}/saved-views", { params: { path: { account: scope.accountId } } })));
  return items;
}

function createView(scope: PageScope, body: { name: string; search: Search }) {
  return scope.kind === "installation"
    ? unwrap(api.POST("/api/v1/saved-views", { body }))
    : unwrap(
        api.POST("/api/v1/accounts/{account}/saved-views", { params: { path: { account: scope.accountId } }, body }),
      );
}

function renameView(scope: PageScope, view: string, name: string) {
  const body = { name };
  return scope.kind === "installation"
    ? unwrap(api.PATCH("/api/v1/saved-views/{view}", { params: { path: { view } }, body }))
    : unwrap(
        api.PATCH("/api/v1/accounts/{account}/saved-views/{view}", {
          params: { path: { account: scope.accountId, view } },
          body,
        }),
      );
}

async function deleteView(scope: PageScope, view: string): Promise<void> {
  if (scope.kind === "installation") {
    await unwrap(api.DELETE("/api/v1/saved-views/{view}", { params: { path: { view } } }));
    return;
  }
  await unwrap(
    api.DELETE("/api/v1/accounts/{account}/saved-views/{view}", {
      params: { path: { account: scope.accountId, view } },
    }),
  );
}
