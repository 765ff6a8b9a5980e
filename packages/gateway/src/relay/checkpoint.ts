import type { Usage } from "@interlingua/protocols";
import { errorFields } from "../telemetry/error-fields.ts";
import { costSoFar } from "./bill.ts";
import type { RelayContext } from "./context.ts";
import type { Course } from "./course.ts";
import { endedCall } from "./settlement.ts";

/** A running stream notes down what it has used at least this often (M3). */
const everyMs = 5_000;
const everyTokens = 1_000;

/** Notes down what a stream has used, so that little is lost when the process dies. Costs two comparisons a read. */
export interface Checkpoints {
  /** After each read from the upstream. `usage`: what it has told so far; asked only when it is noted down. */
  look(usage: () => Usage | undefined): void;
}

export function createCheckpoints(context: RelayContext, course: Course): Checkpoints {
  let notedAt = context.platform.monotonic();
  let notedTokens = 0;
  return {
    look(usage) {
      const { budget, meter } = course;
      // What costs nothing leaves nothing to lose.
      if (!budget || !meter || budget.prices.size === 0) return;
      const tokens = meter.roughTokens;
      const now = context.platform.monotonic();
      if (tokens - notedTokens < everyTokens && (now - notedAt < everyMs || tokens === notedTokens)) return;
      notedAt = now;
      notedTokens = tokens;
      course.usage = usage() ?? course.usage;
      const facts = costSoFar(endedCall(context, course, "interrupted"), roughInput(course));
      const { candidate, head } = course;
      context.books
        .checkpoint(budget.reservation, facts.charge, {
          usage: facts.usage,
          channel: candidate?.channel.name ?? "",
          upstreamModel: candidate?.upstreamModel ?? "",
        })
        .catch((cause: unknown) => {
          context.log.warn("a checkpoint could not be written", { call_id: head.id, ...errorFields(cause) });
        });
    },
  };
}

/** The bound is a token a byte; a text has about a quarter of that. */
function roughInput({ budget }: Course): number {
  return Math.ceil((budget?.bounds.inputTokens ?? 0) / 4);
}
