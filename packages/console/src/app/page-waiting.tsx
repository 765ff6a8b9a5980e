import { Skeleton, Stack, VisuallyHidden } from "@mantine/core";
import { useText } from "../shared/text.ts";
import { appTexts } from "./text.ts";

/** While a page's chunk is on its way. */
export function PageWaiting() {
  const t = useText(appTexts);
  return (
    <Stack gap="lg" aria-busy="true" p="lg">
      <VisuallyHidden role="status">{t("loading")}</VisuallyHidden>
      <Skeleton h={28} w={220} />
      <Skeleton h={320} />
    </Stack>
  );
}
