import { type ProtocolName, protocolNames } from "@interlingua/protocols";
import type { ModelEntry } from "../config/config.ts";
import type { Channel } from "./channel.ts";
import { matchesModel } from "./model-pattern.ts";
import { type Candidate, type LeftOut, planRoute, type RoutePlan } from "./route-plan.ts";
import { misfit, type RouteQuery, type RoutingMatch, type RoutingRule, ruleFor } from "./routing-rule.ts";
import { orderCandidates, weightOf } from "./selection.ts";

export type Selection =
  | { kind: "candidates"; candidates: readonly Candidate[] }
  /** No channel offers this model. */
  | { kind: "unknown-model" }
  /** Channels offer it, but all of them are switched off or left out by a rule. */
  | { kind: "no-channel" }
  /** A rule says so, in these words. */
  | { kind: "refused"; message: string };

/** Why a call goes where it goes. */
export interface RouteExplanation {
  /** The model by which channels are looked for: another one than the caller's where a rule rewrites it. */
  model: string;
  /** In their order, up to the one that holds. */
  rules: readonly { rule: RoutingRule; misfit: keyof RoutingMatch | undefined }[];
  outcome: Selection["kind"];
  /** Every channel: first those that would be tried, in their order, then those that would not. */
  steps: readonly RouteStep[];
}

interface RouteStep {
  channel: Channel;
  /** Undefined: it would be tried. `cooling`: it has failed lately, and others have not. */
  leftOut: LeftOut | "cooling" | undefined;
  /** How it would be asked, unless it does not offer the model or is left out. */
  candidate: Candidate | undefined;
  /** What of its list fits the model. */
  entry: ModelEntry | undefined;
  /** How many places of equal ones come before it. */
  tier: number | undefined;
  /** Of the calls that come as far as its place, the part that it gets first, where they are shared by weight. */
  share: number | undefined;
}

/** The channels and rules of one moment, never changed. */
export interface Routes {
  /** In the order of the configuration, then those of the console. */
  readonly channels: readonly Channel[];
  readonly rules: readonly RoutingRule[];
  /** Where a call goes. `now`: monotonic milliseconds. */
  select(query: RouteQuery, now: number): Selection;
  /** Whether there is anything behind the model for this caller, be it usable or not. */
  offers(query: RouteQuery): boolean;
  explain(query: RouteQuery, now: number): RouteExplanation;
}

/** Callers invent names of models where a channel takes any: what is remembered must not grow with them. */
const rememberedModels = 4096;

type Plans = Record<ProtocolName, Map<string, RoutePlan>>;

export function createRoutes(
  channels: readonly Channel[],
  rules: readonly RoutingRule[],
  random: () => number,
): Routes {
  const plans = emptyPlans();
  const plansUnder = new Map<RoutingRule, Plans>(rules.map((rule) => [rule, emptyPlans()]));

  const planFor = (query: RouteQuery, rule: RoutingRule | undefined): RoutePlan => {
    const model = modelUnder(rule, query);
    const remembered = (rule === undefined ? plans : (plansUnder.get(rule) ?? plans))[query.client];
    const known = remembered.get(model);
    if (known) return known;
    const plan = planRoute(channels, model, query.client, rule?.action);
    if (remembered.size >= rememberedModels) remembered.clear();
    remembered.set(model, plan);
    return plan;
  };
  const select = (query: RouteQuery, rule: RoutingRule | undefined, now: number, draw: () => number): Selection => {
    if (rule?.action.kind === "refuse") return { kind: "refused", message: rule.action.message };
    const plan = planFor(query, rule);
    if (!plan.offered) return { kind: "unknown-model" };
    if (plan.candidates.length === 0) return { kind: "no-channel" };
    return { kind: "candidates", candidates: orderCandidates(plan, now, draw) };
  };
  /** The rules whose pattern fits a model, so that a call looks at these alone. */
  const rulesOf = new Map<string, readonly RoutingRule[]>();
  const holding = (query: RouteQuery) => {
    if (rules.length === 0) return undefined;
    let fitting = rulesOf.get(query.model);
    if (!fitting) {
      fitting = rules.filter(({ match }) => match.model === null || matchesModel(match.model, query.model));
      if (rulesOf.size >= rememberedModels) rulesOf.clear();
      rulesOf.set(query.model, fitting);
    }
    return ruleFor(fitting, query);
  };

  return {
    channels,
    rules,
    select: (query, now) => select(query, holding(query), now, random),
    offers: (query) => planFor(query, holding(query)).offered,
    explain(query, now) {
      const rule = holding(query);
      const looked = rules.slice(0, rule === undefined ? rules.length : rules.indexOf(rule) + 1);
      const selection = select(query, rule, now, () => 0);
      const model = modelUnder(rule, query);
      const tried = selection.kind === "candidates" ? selection.candidates : [];
      const steps: RouteStep[] = [];
      const plan = planRoute(channels, model, query.client, rule?.action, (channel, seen) => {
        const none = { channel, candidate: undefined, entry: undefined, tier: undefined, share: undefined };
        if ("leftOut" in seen) steps.push({ ...none, leftOut: seen.leftOut });
        else steps.push({ ...none, leftOut: undefined, entry: seen.entry, tier: seen.tier });
      });
      const explained = steps.map((step) => withCandidate(step, plan, tried));
      const place = ({ channel, leftOut }: RouteStep) => {
        const at = tried.findIndex((each) => each.channel === channel);
        if (at !== -1) return at;
        return leftOut === "cooling" ? tried.length : tried.length + 1;
      };
      return {
        model,
        rules: looked.map((each) => ({ rule: each, misfit: misfit(each, query) })),
        outcome: selection.kind,
        steps: selection.kind === "refused" ? [] : explained.toSorted((a, b) => place(a) - place(b)),
      };
    },
  };
}

function modelUnder(rule: RoutingRule | undefined, query: RouteQuery): string {
  return rule?.action.kind === "rewrite" ? rule.action.model : query.model;
}

function withCandidate(step: RouteStep, plan: RoutePlan, tried: readonly Candidate[]): RouteStep {
  const candidate = plan.candidates.find(({ channel }) => channel === step.channel);
  if (!candidate || step.tier === undefined) return step;
  const isTried = ({ channel }: Candidate) => tried.some((each) => each.channel === channel);
  if (!isTried(candidate)) return { ...step, candidate, leftOut: tried.length === 0 ? step.leftOut : "cooling" };
  const tier = plan.tiers[step.tier];
  if (!tier?.weighted) return { ...step, candidate };
  const total = tier.candidates.filter(isTried).reduce((sum, each) => sum + weightOf(each), 0);
  return { ...step, candidate, share: total === 0 ? undefined : weightOf(candidate) / total };
}

function emptyPlans(): Plans {
  // Has every protocol, since it is made of the list of all.
  return Object.fromEntries(protocolNames.map((name) => [name, new Map<string, RoutePlan>()])) as Plans;
}
