import { Alert, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type Protocol, protocols } from "../../shared/gateway-call.ts";
import { ModelInput } from "../../shared/model-input.tsx";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import type { CallDetail } from "./call-data.ts";
import { callTexts } from "./texts.ts";
import { jsonOf } from "./wire-lines.ts";

/** Hands a request to the playground, which takes it when it opens. */
export function useOpenPlayground(call: CallDetail) {
  const navigate = useNavigate();
  return (request: { protocol: Protocol; model: string; body: object }) => {
    sessionStorage.setItem("playground.request", JSON.stringify(request));
    void navigate({
      to: "/a/$account/playground",
      params: { account: call.account_id },
      search: { from: call.id } as never,
    });
  };
}

/** Makes the kept request ready for another protocol or model, and opens it in the playground. */
export function Replay({ call, request }: { call: CallDetail; request: string | undefined }) {
  const t = useText(callTexts);
  const [opened, setOpened] = useState(false);
  const body = jsonOf(request ?? "");
  if (typeof body !== "object" || body === null || Array.isArray(body)) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconRepeat size={15} aria-hidden="true" />}
        onClick={() => setOpened(true)}
      >
        {t("replay")}
      </Button>
      {opened && <ReplayDialog call={call} body={body} onClose={() => setOpened(false)} />}
    </>
  );
}

function ReplayDialog({ call, body, onClose }: { call: CallDetail; body: object; onClose: () => void }) {
  const t = useText(callTexts);
  const shared = useText(sharedTexts);
  const nameOf = useProtocolName();
  const open = useOpenPlayground(call);
  const [protocol, setProtocol] = useState<Protocol>(call.client_protocol);
  const [model, setModel] = useState(call.model ?? "");
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      const { convertRequest } = await import("./convert-request.ts");
      // What JSON.parse gives for an object holds JSON values alone.
      const converted = convertRequest(call, body as Parameters<typeof convertRequest>[1], { protocol, model });
      if ("refused" in converted) setRefused(converted.refused);
      else open({ protocol, model, body: converted.body });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={onClose} title={t("replayTitle")} closeButtonProps={{ "aria-label": shared("close") }}>
      <Stack gap="sm">
        <Text fz="sm">{t("replayText")}</Text>
        <Select
          label={t("replayProtocol")}
          allowDeselect={false}
          data={protocols.map((value) => ({ value, label: nameOf(value) }))}
          value={protocol}
          onChange={(value) => {
            setRefused(undefined);
            setProtocol(protocols.find((one) => one === value) ?? protocol);
          }}
        />
        <ModelInput label={t("replayModel")} value={model} onChange={setModel} />
        {refused !== undefined && (
          <Alert color="red" variant="light" role="alert">
            {t("replayFailed", { why: refused })}
          </Alert>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {shared("cancel")}
          </Button>
          <Button loading={busy} disabled={model.trim() === ""} onClick={() => void run()}>
            {t("replayOpen")}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
