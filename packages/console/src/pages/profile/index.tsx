import { PageHeader } from "../../shared/page-header.tsx";
import { useText } from "../../shared/text.ts";
import { PasskeysSection } from "./passkeys-section.tsx";
import { PasswordSection } from "./password-section.tsx";
import { SessionsSection } from "./sessions-section.tsx";
import { profileTexts } from "./texts.ts";
import { TokensSection } from "./tokens-section.tsx";
import { TwoFactorSection } from "./two-factor-section.tsx";
import { YouSection } from "./you-section.tsx";

/** The user's own things. */
export default function ProfilePage() {
  const t = useText(profileTexts);
  return (
    <>
      <PageHeader title={t("title")} description={t("description")} />
      <YouSection />
      <PasswordSection />
      <TwoFactorSection />
      <PasskeysSection />
      <SessionsSection />
      <TokensSection />
    </>
  );
}
