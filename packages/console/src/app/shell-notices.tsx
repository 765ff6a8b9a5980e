import { Alert, Anchor } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api, unwrap } from "../api/client.ts";
import { useText } from "../shared/text.ts";
import { useMe } from "./session.ts";
import { appTexts } from "./text.ts";

/** What stands above every page: what operators announce, and what keeps the user from being one. */
export function ShellNotices() {
  const t = useText(appTexts);
  const { user } = useMe();
  const { data } = useQuery({
    queryKey: ["console-notice"],
    queryFn: () => unwrap(api.GET("/api/v1/console-notice")),
    staleTime: 60_000,
    refetchInterval: 300_000,
  });
  const icon = <IconInfoCircle size={18} aria-hidden="true" />;
  return (
    <>
      {data && data.text !== "" && (
        <Alert variant="light" color="teal" icon={icon} mb="md" role="status">
          {data.text}
        </Alert>
      )}
      {user.operator_withheld && (
        <Alert variant="light" color="yellow" icon={icon} mb="md" role="status">
          {t("secondFactorNeeded")}{" "}
          <Anchor component={Link} to="/profile" fz="sm">
            {t("toProfile")}
          </Anchor>
        </Alert>
      )}
    </>
  );
}
