import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useText } from "../../shared/text.ts";
import type { CallDetail } from "./call-data.ts";
import { useOpenPlayground } from "./replay.tsx";
import { callTexts } from "./texts.ts";

/** Why there are no bodies to look at, how they would be kept, and what can be done without them. */
export function NoContent({ call }: { call: CallDetail }) {
  const t = useText(callTexts);
  const open = useOpenPlayground(call);
  const { state, readable } = call.content;
  const [why, how] =
    state === "kept" || !readable
      ? [t("notReadable"), t("notReadableHow")]
      : [t(`keep_${state}`), t(`keep_${state}_how`)];
  return (
    <Stack gap={6}>
      <Text fz="sm" fw={550}>
        {why}
      </Text>
      <Text fz="sm" c="dimmed" maw={640}>
        {how} {t("orPlayground")}
      </Text>
      <Group gap="xs" mt={4}>
        <Button
          variant="default"
          size="xs"
          onClick={() => open({ protocol: call.client_protocol, model: call.model ?? "", body: emptyRequest(call) })}
        >
          {t("openPlayground")}
        </Button>
        {readable && state === "key_off" && (
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link to="/a/$account/keys" params={{ account: call.account_id }} {...props} />}
          >
            {t("keep_key_off_action")}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** A request of the call's protocol and model, with nothing said yet. */
function emptyRequest({ client_protocol, model, stream }: CallDetail): object {
  switch (client_protocol) {
    case "chat-completions":
      return { model, stream, messages: [{ role: "user", content: "" }] };
    case "responses":
      return { model, stream, input: "" };
    case "messages":
      return { model, stream, max_tokens: 1024, messages: [{ role: "user", content: "" }] };
    case "generate-content":
      return { contents: [{ role: "user", parts: [{ text: "" }] }] };
  }
}
