import { ActionIcon, Button, Group, SegmentedControl, Select, Skeleton, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { IconArrowDown, IconArrowUp, IconSearch, IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { PageScope } from "../../app/account.ts";
import { useFormat } from "../../shared/format.ts";
import { Loaded } from "../../shared/loaded.tsx";
import { notifyDone } from "../../shared/notify.tsx";
import { sharedTexts } from "../../shared/shared-text.ts";
import { useText } from "../../shared/text.ts";
import { urlFlag, urlOneOf, useUrlState } from "../../shared/url-state.ts";
import classes from "./call.module.css";
import { type CallContent, type CallDetail, type ContentPart, contentParts, contentQuery } from "./call-data.ts";
import { curlOf } from "./curl.ts";
import { DifferenceView } from "./difference-view.tsx";
import { NoContent } from "./no-content.tsx";
import { Replay } from "./replay.tsx";
import { Section } from "./section.tsx";
import { callTexts } from "./texts.ts";
import { WirePane } from "./wire-pane.tsx";

const wireFields = {
  /** The bodies are shown. */
  wire: urlFlag,
  view: urlOneOf("panes", "diff"),
  part: urlOneOf(...contentParts),
} as const;

/** The four bodies of a call: on the left what the client saw, on the right what the upstream saw. */
export function WireInspector({ call, scope }: { call: CallDetail; scope: PageScope }) {
  const t = useText(callTexts);
  const [{ wire }, set] = useUrlState(wireFields);
  const { state, readable } = call.content;
  const query = useQuery({ ...contentQuery(scope, call.id), enabled: wire === true && state === "kept" && readable });
  if (state !== "kept" || !readable) {
    return (
      <Section title={t("wire")}>
        <NoContent call={call} />
      </Section>
    );
  }
  if (!wire) {
    return (
      <Section title={t("wire")} text={t("wireText")}>
        <Button variant="default" onClick={() => set({ wire: true })}>
          {t("readContent")}
        </Button>
      </Section>
    );
  }
  return (
    <Section title={t("wire")} text={t("wireText")}>
      <Loaded query={query} skeleton={<Skeleton h={520} />}>
        {(content) =>
          content.parts.length === 0 ? (
            <NoContent call={{ ...call, content: { ...call.content, state: content.state } }} />
          ) : (
            <Bodies call={call} content={content} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Bodies({ call, content }: { call: CallDetail; content: CallContent }) {
  const t = useText(callTexts);
  const format = useFormat();
  const [{ view = "panes", part = "client_request" }, set] = useUrlState(wireFields);
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 200);
  const narrow = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const panes = useRef<HTMLDivElement>(null);
  const of = (name: ContentPart) => content.parts.find((kept) => kept.part === name);
  const request = of("client_request");
  const first = content.parts[0];
  const walk = (step: 1 | -1) => focusMatch(panes.current, step);
  const paneOf = (name: ContentPart) => (
    <WirePane
      key={name}
      part={name}
      content={of(name)}
      protocol={name.startsWith("client") ? call.client_protocol : call.upstream_protocol}
      search={search}
    />
  );
  return (
    <>
      <Group gap="xs" mb="sm" align="center">
        <SegmentedControl
          size="sm"
          aria-label={t("view")}
          data={[
            { value: "panes", label: t("view_panes") },
            { value: "diff", label: t("view_diff") },
          ]}
          value={view}
          onChange={(value) => set({ view: value === "diff" ? "diff" : undefined })}
        />
        {view === "panes" && (
          <Group gap={4} wrap="nowrap">
            <TextInput
              aria-label={t("search")}
              placeholder={t("search")}
              leftSection={<IconSearch size={15} aria-hidden="true" />}
              value={typed}
              w={220}
              onChange={(event) => setTyped(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter") walk(event.shiftKey ? -1 : 1);
              }}
            />
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t("previousMatch")}
              disabled={search === ""}
              onClick={() => walk(-1)}
            >
              <IconArrowUp size={15} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={t("nextMatch")}
              disabled={search === ""}
              onClick={() => walk(1)}
            >
              <IconArrowDown size={15} />
            </ActionIcon>
          </Group>
        )}
        {request && <CopyCurl call={call} body={request.text} />}
        <Replay call={call} request={request?.cut ? undefined : request?.text} />
      </Group>
      {view === "diff" ? (
        <DifferenceView before={request?.text} after={of("upstream_request")?.text} />
      ) : (
        <div ref={panes}>
          {narrow && (
            <Select
              mb="xs"
              aria-label={t("view_panes")}
              allowDeselect={false}
              data={contentParts.map((name) => ({ value: name, label: t(`part_${name}`) }))}
              value={part}
              onChange={(value) => set({ part: contentParts.find((name) => name === value) })}
            />
          )}
          <div className={classes.panes}>{narrow ? paneOf(part) : contentParts.map(paneOf)}</div>
        </div>
      )}
      <Text fz="xs" c="dimmed" mt="xs">
        {t("redacted")} {first && t("expires", { when: format.relative(first.expires_at) })}
      </Text>
    </>
  );
}

function CopyCurl({ call, body }: { call: CallDetail; body: string }) {
  const t = useText(callTexts);
  const shared = useText(sharedTexts);
  return (
    <Button
      variant="default"
      leftSection={<IconTerminal2 size={15} aria-hidden="true" />}
      onClick={() =>
        void navigator.clipboard
          .writeText(curlOf(call, body, window.location.origin))
          .then(() => notifyDone(shared("copied")))
      }
    >
      {t("copyCurl")}
    </Button>
  );
}

/** Moves to the next place of what is searched for, from the one that was moved to last; around the end. */
function focusMatch(panes: HTMLElement | null, step: 1 | -1): void {
  const marks = [...(panes?.querySelectorAll("mark") ?? [])];
  if (marks.length === 0) return;
  const current = marks.findIndex((mark) => mark.dataset.current === "true");
  const next =
    marks[current === -1 ? (step === 1 ? 0 : marks.length - 1) : (current + step + marks.length) % marks.length];
  for (const mark of marks) delete mark.dataset.current;
  if (!next) return;
  next.dataset.current = "true";
  next.scrollIntoView({ block: "center" });
}
