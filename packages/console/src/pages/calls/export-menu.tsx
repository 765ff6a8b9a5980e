import { Button, Menu } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { PageScope } from "../../app/account.ts";
import { useText } from "../../shared/text.ts";
import { type CallSearch, queryOf } from "./call-search.ts";
import { callsTexts } from "./texts.ts";

/** Saves what the filters show as a file. */
export function ExportMenu({ scope, search }: { scope: PageScope; search: CallSearch }) {
  const t = useText(callsTexts);
  const save = (format: "csv" | "ndjson") => {
    const base = scope.kind === "installation" ? "/api/v1" : `/api/v1/accounts/${encodeURIComponent(scope.accountId)}`;
    const params = new URLSearchParams({ format });
    for (const [name, value] of Object.entries(queryOf(search, Date.now()))) params.set(name, String(value));
    // The answer is an attachment: the page stays where it is.
    const link = document.createElement("a");
    link.href = `${base}/calls/export?${params}`;
    link.download = "";
    link.click();
  };
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden="true" />}>
          {t("export")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("exportNote")}</Menu.Label>
        <Menu.Item onClick={() => save("csv")}>{t("exportCsv")}</Menu.Item>
        <Menu.Item onClick={() => save("ndjson")}>{t("exportNdjson")}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
