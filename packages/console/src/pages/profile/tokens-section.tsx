import { Anchor, Button, Modal, Text, VisuallyHidden } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { useMe } from "../../app/session.ts";
import { Confirm } from "../../shared/confirm.tsx";
import { type Column, DataTable } from "../../shared/data-table.tsx";
import { notifyDone, notifyFailed } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { Time } from "../../shared/time.tsx";
import { urlFlag, useUrlState } from "../../shared/url-state.ts";
import { NewToken } from "./new-token.tsx";
import { type ApiToken, tokensQuery } from "./profile-api.ts";
import { Section } from "./section.tsx";
import { profileTexts } from "./texts.ts";

const fields = { newToken: urlFlag };

/** Tokens by which programs use the management API in the user's name. */
export function TokensSection() {
  const t = useText(profileTexts);
  const s = useText(sharedTexts);
  const me = useMe();
  const queries = useQueryClient();
  const tokens = useQuery(tokensQuery);
  const [{ newToken }, setUrl] = useUrlState(fields);
  const [leaving, setLeaving] = useState<ApiToken>();
  const accountNames = useMemo(
    () => new Map(me.memberships.map(({ account }) => [account.id, account.name])),
    [me.memberships],
  );
  const columns = useMemo<Column<ApiToken>[]>(
    () => [
      {
        id: "name",
        header: t("tokenName"),
        cell: ({ name, tail }) => (
          <>
            <Text fz="sm" fw={500}>
              {name}
            </Text>
            <Text fz="xs" c="dimmed" ff="monospace">
              ilt_…{tail}
            </Text>
          </>
        ),
      },
      { id: "access", header: t("access"), cell: ({ access }) => t(access) },
      {
        id: "reach",
        header: t("reach"),
        cell: ({ account_ids, role }) =>
          account_ids === null
            ? t("installation")
            : `${account_ids.map((id) => accountNames.get(id) ?? id).join(", ")} · ${t(`role_${role}`)}`,
      },
      {
        id: "used",
        header: t("lastUsed"),
        cell: ({ last_used_at }) => (last_used_at === null ? t("never") : <Time at={last_used_at} relative />),
      },
      {
        id: "expires",
        header: t("expires"),
        cell: ({ expires_at }) =>
          expires_at === null ? (
            t("never")
          ) : expires_at <= Date.now() ? (
            t("expired")
          ) : (
            <Time at={expires_at} relative />
          ),
      },
      {
        id: "revoke",
        header: <VisuallyHidden>{t("actions")}</VisuallyHidden>,
        align: "right",
        cell: (token) => (
          <Button
            variant="subtle"
            color="red"
            size="compact-sm"
            aria-label={t("revokeToken", { name: token.name })}
            onClick={() => setLeaving(token)}
          >
            {t("revoke")}
          </Button>
        ),
      },
    ],
    [t, accountNames],
  );
  const revoke = async ({ id }: ApiToken) => {
    try {
      await unwrap(api.DELETE("/api/v1/me/api-tokens/{token}", { params: { path: { token: id } } }));
      notifyDone(t("tokenRevoked"));
    } catch (error) {
      notifyFailed(error);
      throw error;
    } finally {
      await queries.invalidateQueries(tokensQuery);
    }
  };
  const openNew = () => setUrl({ newToken: true }, { push: true });
  const closeNew = () => setUrl({ newToken: undefined });
  return (
    <Section
      title={t("tokens")}
      text={
        <>
          {t("tokensText")}{" "}
          <Anchor href="/api/reference" fz="sm" underline="always">
            {t("reference")}
          </Anchor>
        </>
      }
      actions={
        <Button variant="default" onClick={openNew}>
          {t("newToken")}
        </Button>
      }
    >
      <DataTable
        label={t("tokens")}
        columns={columns}
        rows={tokens.data?.items}
        rowId={({ id }) => id}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        empty={
          <Text fz="sm" c="dimmed">
            {t("noTokens")}
          </Text>
        }
      />
      <Modal
        opened={newToken ?? false}
        onClose={closeNew}
        title={t("newToken")}
        closeOnClickOutside={false}
        closeButtonProps={{ "aria-label": s("close") }}
      >
        <NewToken onMade={() => void queries.invalidateQueries(tokensQuery)} onDone={closeNew} />
      </Modal>
      {leaving && (
        <Confirm
          opened
          title={t("revokeToken", { name: leaving.name })}
          text={t("revokeTokenText")}
          action={t("revoke")}
          onConfirm={() => revoke(leaving)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </Section>
  );
}
