import { Alert, Button, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "../../api/client.ts";
import { LoadFailed } from "../../shared/load-failed.tsx";
import { PageHeader } from "../../shared/page-header.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { AuditLog } from "./audit-log.tsx";
import { auditTexts } from "./texts.ts";

/** What was done to the installation, and whether the log of it is whole. */
export default function AuditPage() {
  const t = useText(auditTexts);
  const s = useText(sharedTexts);
  const verify = useMutation({ mutationFn: () => unwrap(api.GET("/api/v1/audit-verification")) });
  const { data, error } = verify;
  return (
    <>
      <PageHeader
        title={t("title")}
        description={t("description")}
        actions={
          <Button
            variant="default"
            leftSection={<IconShieldCheck size={16} aria-hidden="true" />}
            loading={verify.isPending}
            title={t("verifyTitle")}
            onClick={() => verify.mutate()}
          >
            {t("verify")}
          </Button>
        }
      />
      {error && <LoadFailed error={error} onRetry={() => verify.mutate()} />}
      {data && (
        <Alert
          mb="md"
          role="status"
          variant="light"
          color={data.whole ? "teal" : "red"}
          icon={data.whole ? <IconShieldCheck size={18} /> : <IconShieldX size={18} />}
          withCloseButton
          closeButtonLabel={s("close")}
          onClose={() => verify.reset()}
        >
          <Text fz="sm" fw={600}>
            {t(data.whole ? "whole" : "broken")}
          </Text>
          {data.whole
            ? t("wholeText", { count: data.entries ?? 0 })
            : t(`problem_${data.problem ?? "changed"}`, { sequence: data.sequence ?? 0 })}
        </Alert>
      )}
      <AuditLog />
    </>
  );
}
