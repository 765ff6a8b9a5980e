import { Anchor, Button, Container, Group } from "@mantine/core";
import { Link, Outlet } from "@tanstack/react-router";
import { useText } from "../shared/text.ts";
import { Appearance } from "./appearance.tsx";
import { Brand } from "./brand.tsx";
import { PageWaiting } from "./page-waiting.tsx";
import { useMaybeMe } from "./session.ts";
import classes from "./shell.module.css";
import { Shell } from "./shell.tsx";
import { appTexts } from "./text.ts";

/** Around pages that everybody may see: the shell for those who have signed in, a plain head for others. */
export function PublicLayout() {
  const t = useText(appTexts);
  const me = useMaybeMe();
  if (me === undefined) return <PageWaiting />;
  if (me) return <Shell />;
  return (
    <>
      <a className={classes.skip} href="#content">
        {t("skip")}
      </a>
      <header className={classes.publicHead}>
        <Container size="xl" h="100%">
          <Group h="100%" justify="space-between" wrap="nowrap">
            <Group gap="xl" wrap="nowrap">
              <Brand />
              <Group component="nav" gap="md" aria-label={t("navigation")} wrap="nowrap">
                <Anchor renderRoot={(props) => <Link to="/models" {...props} />} fz="sm" c="inherit">
                  {t("models")}
                </Anchor>
                <Anchor renderRoot={(props) => <Link to="/status" {...props} />} fz="sm" c="inherit">
                  {t("status")}
                </Anchor>
              </Group>
            </Group>
            <Group gap="sm" wrap="nowrap">
              <Group visibleFrom="xs">
                <Appearance />
              </Group>
              <Button size="xs" variant="default" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
                {t("signIn")}
              </Button>
            </Group>
          </Group>
        </Container>
      </header>
      <Container component="main" id="content" size="xl" py="lg">
        <Outlet />
      </Container>
    </>
  );
}
