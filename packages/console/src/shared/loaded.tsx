import { Skeleton, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import { LoadFailed } from "./load-failed.tsx";
import { sharedTexts } from "./shared-text.ts";
import { useText } from "./text.ts";

interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch(): unknown;
}

/**
 * What a query brought: a skeleton while it is on its way, the failure with a way to try again, else the data. Data that were
 * there before a failed reload stay, under the failure.
 */
export function Loaded<Data>({
  query,
  skeleton,
  children,
}: {
  query: Asked<Data>;
  /** Keeps the place; a block of 160 pixels unless given. */
  skeleton?: ReactNode;
  children: (data: Data) => ReactNode;
}) {
  const t = useText(sharedTexts);
  const failed = query.error ? <LoadFailed error={query.error} onRetry={() => void query.refetch()} /> : null;
  if (query.data !== undefined) {
    return (
      <>
        {failed}
        {children(query.data)}
      </>
    );
  }
  if (failed) return failed;
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{t("loading")}</VisuallyHidden>
      {skeleton ?? <Skeleton h={160} />}
    </div>
  );
}
