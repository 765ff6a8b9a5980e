import { Button, Drawer, Skeleton, Stack } from "@mantine/core";
import { IconArrowsSplit, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Empty } from "../../shared/empty.tsx";
import { protocols } from "../../shared/gateway-call.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlFlag, urlOneOf, urlText, useUrlState } from "../../shared/url-state.ts";
import { ExplainBox } from "./explain-box.tsx";
import { type RoutingRule, rulesQuery, useRuleChanges } from "./routing-api.ts";
import { RuleForm } from "./rule-form.tsx";
import { RuleList } from "./rule-list.tsx";
import { routingTexts } from "./texts.ts";

const fields = {
  create: urlFlag,
  rule: urlText,
  model: urlText,
  protocol: urlOneOf(...protocols),
  account: urlText,
  key: urlText,
};

/** What decides where calls go before the channels' own order, and the answer to where one would go. */
export default function RoutingPage() {
  const t = useText(routingTexts);
  const [url, setUrl] = useUrlState(fields);
  const query = useQuery(rulesQuery);
  const createButton = (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      onClick={() => setUrl({ create: true, rule: undefined }, { push: true })}
    >
      {t("create")}
    </Button>
  );
  const edited = query.data?.items.find(({ id }) => id === url.rule);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} actions={createButton} />
      <Stack gap="lg">
        <Loaded query={query} skeleton={<Skeleton h={180} />}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty
                icon={<IconArrowsSplit size={28} stroke={1.4} />}
                title={t("emptyTitle")}
                text={t("emptyText")}
                action={createButton}
              />
            ) : (
              <RuleList rules={items} onEdit={({ id }) => setUrl({ rule: id, create: undefined }, { push: true })} />
            )
          }
        </Loaded>
        <ExplainBox question={url} onAsk={(question) => setUrl(question)} />
      </Stack>
      {(url.create || edited) && (
        <RuleDrawer
          key={edited?.id ?? "new"}
          {...(edited && { rule: edited })}
          onClose={() => setUrl({ create: undefined, rule: undefined })}
        />
      )}
    </>
  );
}

function RuleDrawer({ rule, onClose }: { rule?: RoutingRule; onClose: () => void }) {
  const t = useText(routingTexts);
  const s = useText(sharedTexts);
  const { create, save } = useRuleChanges();
  return (
    <Drawer
      opened
      onClose={onClose}
      size={520}
      title={rule ? t("editTitle") : t("createTitle")}
      closeButtonProps={{ "aria-label": s("close") }}
    >
      <RuleForm
        {...(rule && { rule })}
        action={rule ? t("save") : t("create")}
        busy={create.isPending || save.isPending}
        error={rule ? save.error : create.error}
        onSubmit={(changes) => {
          const done = (text: string) => () => {
            notifyDone(text);
            onClose();
          };
          if (rule) save.mutate({ rule, changes }, { onSuccess: done(t("saved")) });
          else create.mutate(changes, { onSuccess: done(t("created")) });
        }}
      />
    </Drawer>
  );
}
