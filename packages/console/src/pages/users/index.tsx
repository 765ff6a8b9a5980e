import { Button, Drawer, Pill, Select } from "@mantine/core";
import { IconPlus, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { DataTable } from "../../shared/data-table.tsx";
import { Empty } from "../../shared/empty.tsx";
import { FilterBar } from "../../shared/filter-bar.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { NothingFound } from "../../shared/nothing-found.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { SearchBox } from "../../shared/search-box.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { usePages } from "../../shared/use-pages.ts";
import { InviteUser } from "./invite-user.tsx";
import { usersTexts } from "./texts.ts";
import { loadUsers, type User, userQuery } from "./user-api.ts";
import { userColumns } from "./user-columns.tsx";
import { UserDetails } from "./user-details.tsx";

const filters = ["operators", "disabled", "no_second_factor"] as const;
const fields = {
  search: urlText,
  which: urlOneOf(...filters),
  account: urlText,
  user: urlText,
  panel: urlOneOf("invite"),
};

const conditions = {
  operators: { operator: "true" },
  disabled: { disabled: "true" },
  no_second_factor: { two_factor: "false" },
} as const;

/** The users of the installation. */
export default function UsersPage() {
  const t = useText(usersTexts);
  const s = useText(sharedTexts);
  const [url, setUrl] = useUrlState(fields);
  const { search, which, account } = url;
  const query = { ...(search && { search }), ...(account && { account }), ...(which && conditions[which]) };
  const list = usePages(["users", query], (cursor) => loadUsers({ ...query, ...(cursor && { cursor }) }));
  const columns = useMemo(() => userColumns(t), [t]);
  const isFiltered = search !== undefined || which !== undefined || account !== undefined;
  const clear = () => setUrl({ search: undefined, which: undefined, account: undefined });
  const inviteButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ panel: "invite", user: undefined }, { push: true })}
    >
      {t("invite")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} actions={inviteButton} />
      <FilterBar onClear={isFiltered ? clear : undefined}>
        <SearchBox
          value={search ?? ""}
          onChange={(text) => setUrl({ search: text === "" ? undefined : text })}
          label={t("search")}
          placeholder={t("searchPlaceholder")}
        />
        <Select
          aria-label={t("filter")}
          w={220}
          data={[
            { value: "", label: t("filter_all") },
            ...filters.map((value) => ({ value, label: t(`filter_${value}`) })),
          ]}
          value={which ?? ""}
          allowDeselect={false}
          onChange={(value) => setUrl({ which: filters.find((each) => each === value) })}
        />
        {account !== undefined && <Pill size="md">{t("ofAccount", { account })}</Pill>}
      </FilterBar>
      <DataTable
        label={t("list")}
        columns={columns}
        rowId={(user: User) => user.id}
        minWidth={820}
        {...list}
        onOpen={({ id }) => setUrl({ user: id, panel: undefined }, { push: true })}
        isMarked={({ id }) => id === url.user}
        empty={
          isFiltered ? (
            <NothingFound title={t("noneTitle")} text={t("noneText")} onClear={clear} />
          ) : (
            <Empty
              icon={<IconUsers size={28} stroke={1.4} />}
              title={t("emptyTitle")}
              text={t("emptyText")}
              action={inviteButton}
            />
          )
        }
      />
      {url.panel === "invite" && (
        <Drawer
          opened
          onClose={() => setUrl({ panel: undefined })}
          title={t("inviteTitle")}
          size={460}
          closeOnClickOutside={false}
          closeButtonProps={{ "aria-label": s("close") }}
        >
          <InviteUser account={account ?? ""} onDone={() => setUrl({ panel: undefined })} />
        </Drawer>
      )}
      {url.user !== undefined && <UserDrawer id={url.user} onClose={() => setUrl({ user: undefined })} />}
    </>
  );
}

function UserDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useText(usersTexts);
  const s = useText(sharedTexts);
  const query = useQuery(userQuery(id));
  return (
    <Drawer
      opened
      onClose={onClose}
      title={t("details", { name: query.data?.name ?? "…" })}
      size={520}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <Loaded query={query}>{(user) => <UserDetails user={user} />}</Loaded>
    </Drawer>
  );
}
