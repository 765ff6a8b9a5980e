import type { Sort } from "../../shared/data-table.tsx";
import { type Model, type Protocol, priceOf } from "./models-query.ts";

export interface ModelFilter {
  search?: string | undefined;
  /** A protocol that reaches it without conversion. */
  family?: Protocol | undefined;
  capability?: string | undefined;
  state?: Model["state"] | undefined;
}

/** Whether every word of the search stands in the name. */
export function fits(model: Model, { search = "", family, capability, state }: ModelFilter): boolean {
  const name = model.id.toLowerCase();
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    words.every((word) => name.includes(word)) &&
    (family === undefined || model.families.some(({ protocol, lane }) => protocol === family && lane === "direct")) &&
    (capability === undefined || model.capabilities.some((one) => one === capability)) &&
    (state === undefined || model.state === state)
  );
}

/** By what lists can be sorted; undefined where a model has no such figure: it then stands last, whatever the direction. */
const figures: Readonly<Record<string, (model: Model) => number | undefined>> = {
  input: (model) => amount(priceOf(model, "input")),
  output: (model) => amount(priceOf(model, "output")),
  context: ({ context_window }) => context_window ?? undefined,
  firstToken: ({ speed }) => speed?.first_token_p50_ms,
  pace: ({ speed }) => speed?.output_tokens_per_second ?? undefined,
  availability: ({ availability }) => availability ?? undefined,
};

/** For the order alone: an amount of a price list is far below what a number holds. */
function amount(nano: string | undefined): number | undefined {
  return nano === undefined ? undefined : Number(nano);
}

export function sortModels(models: readonly Model[], { column, direction }: Sort): Model[] {
  const sign = direction === "asc" ? 1 : -1;
  const byName = (a: Model, b: Model) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const figure = figures[column];
  if (!figure) return models.toSorted((a, b) => sign * byName(a, b));
  return models.toSorted((a, b) => {
    const [left, right] = [figure(a), figure(b)];
    if (left === undefined || right === undefined) {
      return left === right ? byName(a, b) : left === undefined ? 1 : -1;
    }
    return sign * (left - right) || byName(a, b);
  });
}
