import type { Notice } from "@interlingua/protocols";

const notice = (field: string, verdict: Notice["verdict"], detail: string): string =>
  JSON.stringify({ field, verdict, detail } satisfies Notice);

const kinds: readonly [string, ...string[]] = [
  notice("top_k", "dropped", "The upstream has no such setting."),
  notice("logit_bias", "dropped", "The upstream cannot weigh single tokens."),
  notice("stop_sequences", "emulated", "The answer is cut by the gateway, since the upstream takes four at most."),
  notice("thinking.budget_tokens", "approximated", "The upstream knows levels of effort: 8000 tokens became 'medium'."),
  notice("tools[2].strict", "dropped", "The upstream does not enforce schemas of tools."),
  notice("cache_control", "approximated", "The upstream caches by itself; marks have no effect."),
  notice("response_format", "emulated", "The schema is given to the upstream as a tool that must be called."),
];

/** The notices of a call by a drawn number, as the column holds them: of most converted calls none. */
export function noticesBy(drawn: number): string {
  if (drawn >= 0.3) return "[]";
  const first = kinds[Math.floor(drawn * 1000) % kinds.length];
  const second = drawn < 0.08 ? `,${kinds[Math.floor(drawn * 10_000) % kinds.length]}` : "";
  return `[${first}${second}]`;
}
