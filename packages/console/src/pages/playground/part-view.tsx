import type { Part } from "@interlingua/protocols";
import { Alert, Box, Code, Text } from "@mantine/core";
import { useText } from "../../shared/text.ts";
import classes from "./playground.module.css";
import { playgroundTexts } from "./texts.ts";

/** One piece of a turn, as text alone: what a model writes is never read as markup. */
export function PartView({ part, nameOf }: { part: Part; nameOf: (callId: string) => string }) {
  const t = useText(playgroundTexts);
  switch (part.type) {
    case "text":
      return <div className={classes.text ?? ""}>{part.text}</div>;
    case "refusal":
      return (
        <Alert color="yellow" variant="light" title={t("refusal")}>
          {part.text}
        </Alert>
      );
    case "reasoning": {
      const said = part.text ?? part.summary?.join("\n\n") ?? "";
      return (
        <details className={classes.reasoning ?? ""}>
          <summary>{t("reasoning")}</summary>
          <div className={classes.text ?? ""}>{said === "" ? t("reasoningHidden") : said}</div>
        </details>
      );
    }
    case "tool-call":
      return (
        <Box className={classes.tool ?? ""}>
          <Text fz="xs" fw={600}>
            {t("toolCall", { name: part.name })}
          </Text>
          <Code block className={classes.code ?? ""}>
            {pretty(part.arguments)}
          </Code>
        </Box>
      );
    case "tool-result":
      return (
        <Box className={classes.tool ?? ""}>
          <Text fz="xs" fw={600}>
            {t("toolResult", { name: part.name ?? nameOf(part.callId) })}
          </Text>
          {part.content.map((inner, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a result never change
            <PartView key={index} part={inner} nameOf={nameOf} />
          ))}
        </Box>
      );
    case "image":
      if (part.source.type === "base64") {
        const { mediaType, data } = part.source;
        return <img className={classes.image ?? ""} src={`data:${mediaType};base64,${data}`} alt={t("imagePart")} />;
      }
      return <Text fz="sm">{part.source.type === "url" ? part.source.url : t("imagePart")}</Text>;
    case "audio":
    case "video":
    case "document":
    case "server-tool":
    case "opaque":
      return (
        <details className={classes.reasoning ?? ""}>
          <summary>{t("otherPart", { type: part.type })}</summary>
          <Code block className={classes.code ?? ""}>
            {JSON.stringify(part, null, 2)}
          </Code>
        </details>
      );
  }
}

/** JSON with its lines; anything else as it is. */
export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
