import type { Part } from "@interlingua/protocols";
import { ActionIcon, Button, CloseButton, FileButton, Group, Stack, Text, Textarea, Tooltip } from "@mantine/core";
import { IconPhotoPlus, IconPlayerStopFilled, IconSend } from "@tabler/icons-react";
import { type KeyboardEvent, useState } from "react";
import { notifyFailed } from "../../shared/notify.tsx";
import { useText } from "../../shared/text.ts";
import classes from "./playground.module.css";
import { playgroundTexts } from "./texts.ts";

type ToolCall = Extract<Part, { type: "tool-call" }>;

interface Attached {
  name: string;
  mediaType: string;
  data: string;
}

const largestImage = 8 * 1024 * 1024;

/** Where the next message is written, or the results that the model waits for. */
export function Composer(props: {
  busy: boolean;
  ready: boolean;
  calls: readonly ToolCall[];
  onSend: (parts: Part[]) => void;
  onStop: () => void;
}) {
  const { busy, ready, calls, onSend, onStop } = props;
  if (calls.length > 0 && !busy) {
    return <Results key={calls.map(({ callId }) => callId).join()} calls={calls} ready={ready} onSend={onSend} />;
  }
  return <Message busy={busy} ready={ready} onSend={onSend} onStop={onStop} />;
}

function Message({
  busy,
  ready,
  onSend,
  onStop,
}: {
  busy: boolean;
  ready: boolean;
  onSend: (parts: Part[]) => void;
  onStop: () => void;
}) {
  const t = useText(playgroundTexts);
  const [text, setText] = useState("");
  const [images, setImages] = useState<readonly Attached[]>([]);
  const empty = text.trim() === "" && images.length === 0;
  const send = () => {
    if (busy || empty || !ready) return;
    onSend([
      ...images.map(({ mediaType, data }): Part => ({ type: "image", source: { type: "base64", mediaType, data } })),
      ...(text.trim() === "" ? [] : [{ type: "text", text } as const]),
    ]);
    setText("");
    setImages([]);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send();
  };
  const attach = async (files: readonly File[]) => {
    const read = await Promise.all(files.map((file) => attached(file, t("imageTooLarge")))).catch(notifyFailed);
    if (read) setImages((before) => [...before, ...read]);
  };
  return (
    <div className={classes.composer ?? ""}>
      {images.length > 0 && (
        <Group gap="xs" mb="xs">
          {images.map(({ name, mediaType, data }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two images may have one name
            <Group key={index} gap={4} className={classes.attached ?? ""}>
              <img src={`data:${mediaType};base64,${data}`} alt={t("attached", { name })} />
              <CloseButton
                size="sm"
                aria-label={t("removeImage", { name })}
                onClick={() => setImages(images.filter((_, at) => at !== index))}
              />
            </Group>
          ))}
        </Group>
      )}
      <Textarea
        aria-label={t("message")}
        placeholder={t("messagePlaceholder")}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
        autosize
        minRows={2}
        maxRows={12}
        variant="unstyled"
        classNames={{ input: classes.message ?? "" }}
      />
      <Group justify="space-between" gap="xs">
        <FileButton
          multiple
          accept="image/png,image/jpeg,image/webp,image/gif"
          onChange={(files) => void attach(files)}
        >
          {(button) => (
            <Tooltip label={t("attach")}>
              <ActionIcon {...button} variant="subtle" color="gray" size="lg" aria-label={t("attach")}>
                <IconPhotoPlus size={18} />
              </ActionIcon>
            </Tooltip>
          )}
        </FileButton>
        {busy ? (
          <Button
            variant="default"
            leftSection={<IconPlayerStopFilled size={14} aria-hidden="true" />}
            onClick={onStop}
          >
            {t("stop")}
          </Button>
        ) : (
          <Button leftSection={<IconSend size={15} aria-hidden="true" />} disabled={empty || !ready} onClick={send}>
            {t("send")}
          </Button>
        )}
      </Group>
    </div>
  );
}

async function attached(file: File, tooLarge: string): Promise<Attached> {
  if (file.size > largestImage) throw new Error(tooLarge);
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = "";
  for (let at = 0; at < bytes.length; at += 32_768) binary += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  return { name: file.name, mediaType: file.type, data: btoa(binary) };
}

function Results({
  calls,
  ready,
  onSend,
}: {
  calls: readonly ToolCall[];
  ready: boolean;
  onSend: (parts: Part[]) => void;
}) {
  const t = useText(playgroundTexts);
  const [results, setResults] = useState<Readonly<Record<string, string>>>({});
  const send = () =>
    onSend(
      calls.map(({ callId, name, toolKind }) => ({
        type: "tool-result",
        callId,
        name,
        toolKind,
        content: [{ type: "text", text: results[callId] ?? "" }],
      })),
    );
  return (
    <div className={classes.composer ?? ""}>
      <Stack gap="sm">
        {calls.map(({ callId, name }) => (
          <Textarea
            key={callId}
            label={t("resultLabel", { name })}
            placeholder={t("resultPlaceholder")}
            value={results[callId] ?? ""}
            onChange={(event) => setResults({ ...results, [callId]: event.currentTarget.value })}
            autosize
            minRows={2}
            maxRows={10}
          />
        ))}
        <Group justify="space-between">
          <Text fz="xs" c="dimmed" ff="monospace">
            {calls.map(({ callId }) => callId).join(", ")}
          </Text>
          <Button disabled={!ready} onClick={send}>
            {t("sendResults")}
          </Button>
        </Group>
      </Stack>
    </div>
  );
}
