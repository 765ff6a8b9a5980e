import { Alert, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { EntryLayout } from "../../app/entry-layout.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { useText } from "../../shared/text.ts";
import { SetupForm } from "./setup-form.tsx";
import { setupTexts } from "./texts.ts";

/** Where the one-time link leads. Its token stands behind the `#`, which browsers send nowhere. */
export function FirstOperator() {
  const t = useText(setupTexts);
  const [token] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get("token") ?? "");
  const [closed, setClosed] = useState(false);
  const methods = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: () => unwrap(api.GET("/api/v1/sign-in-methods")),
  });
  // Out of the address bar and of the history.
  useEffect(() => {
    if (token !== "") window.history.replaceState(window.history.state, "", window.location.pathname);
  }, [token]);
  const gone = closed || methods.data?.setup === false;
  return (
    <EntryLayout title={gone ? t("closed") : t("title")} description={gone ? t("closedText") : t("description")}>
      <Loaded query={methods}>
        {() =>
          gone ? (
            <Button component="a" href="/sign-in">
              {t("signIn")}
            </Button>
          ) : token === "" ? (
            <Alert color="yellow" variant="light">
              {t("noToken")}
            </Alert>
          ) : (
            <SetupForm token={token} onClosed={() => setClosed(true)} />
          )
        }
      </Loaded>
    </EntryLayout>
  );
}
