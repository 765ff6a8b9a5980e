import { Box, Button, Group, SegmentedControl, Text, Title } from "@mantine/core";
import { memo, useMemo, useState } from "react";
import { CopyIcon } from "../../shared/copy.tsx";
import { useFormat } from "../../shared/format.ts";
import type { Protocol } from "../../shared/gateway-call.ts";
import { useProtocolName } from "../../shared/protocol-name.ts";
import { useText } from "../../shared/text.ts";
import classes from "./call.module.css";
import type { CallContent, ContentPart } from "./call-data.ts";
import { callTexts } from "./texts.ts";
import { countMatches, linesOf, piecesOf, type WireLine, wireBody } from "./wire-lines.ts";

/** Lines that are drawn before somebody asks for all of them. */
const firstLines = 400;

/** One of the four bodies, as lines or events, with what is searched for marked. */
export function WirePane({
  part,
  content,
  protocol,
  search,
}: {
  part: ContentPart;
  /** Undefined where nothing is kept of it. */
  content: CallContent["parts"][number] | undefined;
  protocol: Protocol | null;
  search: string;
}) {
  const t = useText(callTexts);
  const format = useFormat();
  const nameOf = useProtocolName();
  const [raw, setRaw] = useState(false);
  const [all, setAll] = useState(false);
  const body = useMemo(() => (content ? wireBody(content.text) : undefined), [content]);
  const lines = useMemo(() => (content && raw ? linesOf(content.text) : (body?.lines ?? [])), [content, raw, body]);
  const matches = useMemo(() => countMatches(lines, search), [lines, search]);
  const name = t(`part_${part}`);
  const isEvents = body?.kind === "events" && !raw;
  const shown = all || search !== "" ? lines : lines.slice(0, firstLines);
  const count = format.count(lines.length);
  return (
    <div className={classes.pane}>
      <div className={classes.paneHead}>
        <Title order={3}>{protocol === null ? name : t("wireOf", { part: name, protocol: nameOf(protocol) })}</Title>
        {search !== "" && content && (
          <Text fz="xs" c="dimmed">
            {t("matches", { count: matches })}
          </Text>
        )}
        {body?.kind === "events" && (
          <SegmentedControl
            size="xs"
            aria-label={t("paneForm", { part: name })}
            data={[
              { value: "events", label: t("showEvents") },
              { value: "raw", label: t("showRaw") },
            ]}
            value={raw ? "raw" : "events"}
            onChange={(value) => setRaw(value === "raw")}
          />
        )}
        {content && (
          <>
            <Text fz="xs" c="dimmed" className="figures">
              {isEvents ? t("events", { count: lines.length }) : format.bytes(content.size)}
            </Text>
            <CopyIcon value={content.text} label={t("copyPart", { part: name })} />
          </>
        )}
      </div>
      {content ? (
        // A box that scrolls must be reachable by the keyboard.
        <Box component="section" className={classes.lines} tabIndex={0} aria-label={name}>
          {shown.map((line) => (
            <Line key={line.number} line={line} search={search} event={isEvents} />
          ))}
          {shown.length < lines.length && (
            <Group justify="center" p="xs">
              <Button size="compact-xs" variant="default" onClick={() => setAll(true)}>
                {isEvents ? t("showAllEvents", { count }) : t("showAllLines", { count })}
              </Button>
            </Group>
          )}
        </Box>
      ) : (
        <Text fz="sm" c="dimmed" p="md">
          {t("missingPart")}
        </Text>
      )}
      {content?.cut && (
        <Text fz="xs" c="dimmed" px="sm" py={6}>
          {t("cut", { size: format.bytes(new Blob([content.text]).size) })}
        </Text>
      )}
    </div>
  );
}

const tokenClasses = {
  key: classes.key,
  string: classes.string,
  number: classes.numeral,
  word: classes.word,
  plain: undefined,
} as const;

const Line = memo(function Line({ line, search, event }: { line: WireLine; search: string; event: boolean }) {
  // What does not fit goes on below its own begin.
  const indent = line.text.length - line.text.trimStart().length;
  return (
    <div className={event ? `${classes.line} ${classes.event}` : classes.line}>
      <span className={classes.lineNumber} aria-hidden="true">
        {line.number}
      </span>
      <span className={classes.lineText} style={{ paddingLeft: `${indent}ch` }}>
        {line.label !== undefined && <span className={classes.eventName}>{line.label}</span>}
        {piecesOf(line.text.slice(indent), search).map(({ kind, text, found }, index) =>
          found ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is
            <mark key={index} tabIndex={-1}>
              {text}
            </mark>
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a piece is
            <span key={index} className={tokenClasses[kind]}>
              {text}
            </span>
          ),
        )}
      </span>
    </div>
  );
});
