import { Alert, Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api, unwrap } from "../../api/client.ts";
import { EntryLayout } from "../../app/entry-layout.tsx";
import { Loaded } from "../../shared/loaded.tsx";
import { useText } from "../../shared/text.ts";
import { SetupForm } from "./setup-form.tsx";
import { setupTexts } from "./texts.ts";

/** Makes the first operator by the token of the one-time link; empty where the link had none. */
export function FirstOperator({ token }: { token: string }) {
  const t = useText(setupTexts);
  const [closed, setClosed] = useState(false);
  const methods = useQuery({
    queryKey: ["sign-in-methods"],
    queryFn: () => unwrap(api.GET("/api/v1/sign-in-methods")),
  });
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
