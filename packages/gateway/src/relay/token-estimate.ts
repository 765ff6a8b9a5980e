import type { CanonicalRequest, Part } from "@interlingua/protocols";

/** What an image or a page costs about; the families count by size, which is not known here. */
export const mediaTokens = 1000;
/** Roles and separators around a turn. */
const turnTokens = 4;

/**
 * Tokens of a request's input where no upstream counts them: an estimate with a public tokenizer, marked as one. The
 * tokenizer's tables are loaded at the first use.
 */
export async function estimateInputTokens(request: CanonicalRequest): Promise<number> {
  const { countTokens } = await import("gpt-tokenizer");
  const count = (text: string) => (text === "" ? 0 : countTokens(text, { allowedSpecial: "all" }));
  let total = 0;
  for (const turn of request.turns) {
    total += turnTokens;
    for (const part of turn.parts) total += partTokens(part, count);
  }
  for (const tool of request.tools) total += count(JSON.stringify(tool));
  if (request.format?.type === "schema") total += count(JSON.stringify(request.format.schema));
  return total;
}

function partTokens(part: Part, count: (text: string) => number): number {
  switch (part.type) {
    case "text":
    case "refusal":
      return count(part.text);
    case "tool-call":
      return count(part.name) + count(part.arguments);
    case "tool-result":
      return part.content.reduce((sum, inner) => sum + partTokens(inner, count), 0);
    case "reasoning":
      return count(part.text ?? "") + (part.summary ?? []).reduce((sum, text) => sum + count(text), 0);
    case "document":
      return part.source.type === "text" ? count(part.source.text) : mediaTokens;
    case "image":
    case "audio":
    case "video":
      return mediaTokens;
    default:
      // Provider-run tools and parts of one protocol only: counted as they are written.
      return count(JSON.stringify(part));
  }
}
