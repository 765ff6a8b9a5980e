import { type FirstTokenColumn, firstTokenBuckets, waitQuantile } from "../calls/first-token-buckets.ts";
import { hourMs, hourOf } from "../calls/usage-hour.ts";
import type { PriceSource } from "../catalogue/prices/price-source.ts";
import type { Catalogue, PublishedModel } from "../catalogue/published-models.ts";
import type { StatusSettings } from "../config/config.ts";
import type { Platform } from "../platform.ts";
import type { Database } from "../storage/database.ts";
import {
  addSamples,
  availabilityOf,
  type MeasuredState,
  overallState,
  type Sample,
  type ShownState,
  shownState,
  stateOf,
  thresholds,
} from "./availability.ts";
import { dayMs, dayOf } from "./availability-roll-up.ts";
import { type ChannelLabel, channelLabels } from "./channel-labels.ts";
import type { Incident, Incidents } from "./incidents.ts";
import { type ModelFacts, modelFacts } from "./model-facts.ts";
import { type AvailabilityRow, availabilitySums, sumNewest } from "./read-calls.ts";
import { createShortMemory } from "./short-memory.ts";

/** One day of a bar. Days without traffic are left out. */
export interface DayReport {
  /** Unix milliseconds, the begin of the day of UTC. */
  day: number;
  state: Exclude<MeasuredState, "unknown">;
  /** Percent; null where so few calls were made that it would tell their number. */
  availability: number | null;
}

interface Report {
  state: ShownState;
  underObservation: boolean;
  /** Percent over the days kept; null as for a day. */
  availability: number | null;
  days: readonly DayReport[];
}

interface ChannelReport extends Report, ChannelLabel {}

interface ModelReport extends Report {
  id: string;
  pattern: boolean;
}

/** An incident as everybody may see it: channels by their labels. */
export interface PublicIncident extends Omit<Incident, "channels"> {
  channels: readonly ChannelLabel[];
}

export interface StatusReport {
  /** Unix milliseconds. */
  generatedAt: number;
  state: ReturnType<typeof overallState>;
  /** The begin of the first day of the bars. */
  firstDay: number;
  shownChannels: StatusSettings["channels"];
  /** None where channels are hidden. */
  channels: readonly ChannelReport[];
  models: readonly ModelReport[];
  incidents: readonly PublicIncident[];
}

/** How fast streaming answers were. */
interface SpeedReport {
  /** Milliseconds, estimates within the bounds of `firstTokenBuckets`. */
  firstTokenP50: number;
  firstTokenP95: number;
  /** Tokens a second after the first one; null where no answer told its tokens. */
  outputTokensPerSecond: number | null;
  /** Measured on a few answers only. */
  few: boolean;
}

/** A published model as everybody may see it. */
export interface PublicModel extends Omit<ModelReport, "days">, ModelFacts {
  /** How many channels serve it. */
  channelCount: number;
  /** None where channels are hidden. */
  channels: readonly (ChannelLabel & { state: ShownState; underObservation: boolean })[];
  /** Null where nothing was measured. */
  speed: SpeedReport | null;
}

interface ModelsReport {
  generatedAt: number;
  shownChannels: StatusSettings["channels"];
  models: readonly PublicModel[];
}

/** What the public pages tell. Answers come from memory for some seconds, so that readers cost the database nothing. */
export interface StatusBoard {
  /** Rejects with a StorageError. */
  status(): Promise<StatusReport>;
  /** Likewise. */
  models(): Promise<ModelsReport>;
  /** To be called when an incident was changed: the next reader sees it. */
  forget(): void;
}

export interface StatusBoardOptions {
  /** Whose reads may take long. */
  database: Pick<Database, "read">;
  catalogue: Catalogue;
  prices: Pick<PriceSource, "priceOf" | "limitsOf">;
  incidents: Pick<Incidents, "recent">;
  settings: StatusSettings;
  platform: Pick<Platform, "now" | "monotonic">;
}

/** How long an answer is good, milliseconds. */
const freshMs = 10_000;
/** Sums change every few minutes only. */
const sumsMs = 60_000;
/** What happened in so long is what goes on now. */
const nowMs = 15 * 60_000;
/** Where that is little, as many hours tell. */
const recentHours = 6;
const shownDays = 90;
const speedDays = 7;
/** With fewer streaming answers no speed is told. */
const leastStreamed = 5;
/** Longer lists help nobody on a page. */
const mostListed = 1000;
const mostIncidents = 50;

export function createStatusBoard(options: StatusBoardOptions): StatusBoard {
  const { catalogue, prices, incidents, settings, platform } = options;
  const sums = createShortMemory(sumsMs, platform.monotonic, () => readSums(options.database, platform.now()));

  const facts = async (): Promise<Facts> => {
    const now = platform.now();
    const [{ days, hours }, newest] = await Promise.all([
      sums.get(),
      sumNewest(options.database, catalogue, now - nowMs),
    ]);
    return { now, days, hours, newest };
  };

  const reporter = ({ now, days, hours, newest }: Facts): Reporter => {
    const ofDays = grouped(days);
    const ofHours = grouped(hours);
    const ofNewest = grouped(newest);
    const measured = (subject: Subject): MeasuredState => {
      const recent = addSamples(ofNewest(subject));
      if (recent.attempts >= thresholds.enough) return stateOf(recent);
      const earlier = addSamples(ofHours(subject));
      return stateOf(earlier.attempts > recent.attempts ? earlier : recent);
    };
    return {
      measured,
      days(subject) {
        const byDay = Map.groupBy(ofDays(subject), ({ time }) => time);
        return [...byDay].sort(([a], [b]) => a - b).flatMap(([day, rows]) => dayReport(day, addSamples(rows)));
      },
      availability: (subject) => availabilityOf(addSamples(ofDays(subject))),
      speed: (subject) => speedOf(ofDays(subject).filter(({ time }) => time > dayOf(now) - speedDays * dayMs)),
    };
  };

  const modelReport = ({ id, pattern, underObservation }: PublishedModel, told: Reporter): ModelReport => {
    const subject = { channel: "", model: id };
    return {
      id,
      pattern,
      underObservation,
      state: shownState(underObservation ? "under_observation" : "operational", told.measured(subject)),
      availability: told.availability(subject),
      days: told.days(subject),
    };
  };

  const labels = () =>
    channelLabels(
      catalogue.channels().map(({ name }) => name),
      settings.channels,
    );

  const status = createShortMemory(freshMs, platform.monotonic, async (): Promise<StatusReport> => {
    const [known, notes] = await Promise.all([
      facts(),
      incidents.recent(dayOf(platform.now()) - shownDays * dayMs, mostIncidents),
    ]);
    const told = reporter(known);
    const labelOf = labels();
    const models = catalogue
      .published()
      .slice(0, mostListed)
      .map((model) => modelReport(model, told));
    const channels = catalogue.channels().flatMap(({ name, setting }): ChannelReport[] => {
      const label = labelOf.get(name);
      if (!label) return [];
      const subject = { channel: name };
      const state = shownState(setting, told.measured(subject));
      const underObservation = setting === "under_observation";
      const availability = told.availability(subject);
      return [{ ...label, state, underObservation, availability, days: told.days(subject) }];
    });
    return {
      generatedAt: known.now,
      state: overallState(models.map(({ state }) => state)),
      firstDay: dayOf(known.now) - (shownDays - 1) * dayMs,
      shownChannels: settings.channels,
      channels: channels.slice(0, mostListed),
      models,
      incidents: notes.map((note) => ({
        ...note,
        channels: note.channels.flatMap((name) => labelOf.get(name) ?? []),
      })),
    };
  });

  const models = createShortMemory(freshMs, platform.monotonic, async (): Promise<ModelsReport> => {
    const known = await facts();
    const told = reporter(known);
    const labelOf = labels();
    const list = catalogue.published().slice(0, mostListed);
    return {
      generatedAt: known.now,
      shownChannels: settings.channels,
      models: list.map((model): PublicModel => {
        const { days: _days, ...report } = modelReport(model, told);
        return {
          ...report,
          ...modelFacts(model, prices, known.now),
          channelCount: model.offers.length,
          channels: model.offers.flatMap(({ channel: { name, setting } }) => {
            const label = labelOf.get(name);
            if (!label) return [];
            const state = shownState(setting, told.measured({ channel: name, model: model.id }));
            return [{ ...label, state, underObservation: setting === "under_observation" }];
          }),
          speed: told.speed({ channel: "", model: model.id }),
        };
      }),
    };
  });

  return {
    status: status.get,
    models: models.get,
    forget() {
      status.forget();
      models.forget();
    },
  };
}

interface Facts {
  now: number;
  days: readonly AvailabilityRow[];
  hours: readonly AvailabilityRow[];
  newest: readonly AvailabilityRow[];
}

/** A model as callers saw it (`channel` empty), a channel with all of its models, or one model on one channel. */
interface Subject {
  channel: string;
  model?: string;
}

interface Reporter {
  measured(subject: Subject): MeasuredState;
  days(subject: Subject): DayReport[];
  availability(subject: Subject): number | null;
  speed(subject: Subject): SpeedReport | null;
}

async function readSums({ read }: Pick<Database, "read">, now: number): Promise<Pick<Facts, "days" | "hours">> {
  const since = (span: "day" | "hour", time: number) =>
    read
      .selectFrom("availability")
      .select(["time", "channel", "model", ...availabilitySums])
      .where("span", "=", span)
      .where("time", ">=", time)
      .execute();
  const [days, hours] = await Promise.all([
    since("day", dayOf(now) - (shownDays - 1) * dayMs),
    since("hour", hourOf(now) - (recentHours - 1) * hourMs),
  ]);
  return { days, hours };
}

/** Finds the rows of a subject without walking through all of them each time. */
function grouped(rows: readonly AvailabilityRow[]): (subject: Subject) => readonly AvailabilityRow[] {
  const byChannel = Map.groupBy(rows, ({ channel }) => channel);
  const byBoth = new Map(
    [...byChannel].map(([channel, ofChannel]) => [channel, Map.groupBy(ofChannel, ({ model }) => model)]),
  );
  return ({ channel, model }) => (model === undefined ? byChannel.get(channel) : byBoth.get(channel)?.get(model)) ?? [];
}

function dayReport(day: number, sample: Sample): DayReport[] {
  const state = stateOf(sample);
  return state === "unknown" ? [] : [{ day, state, availability: availabilityOf(sample) }];
}

function speedOf(rows: readonly AvailabilityRow[]): SpeedReport | null {
  const counts = firstTokenBuckets.map(({ column }) => total(rows, column));
  const streamed = counts.reduce((sum, count) => sum + count, 0);
  if (streamed < leastStreamed) return null;
  const milliseconds = total(rows, "output_ms");
  return {
    firstTokenP50: Math.round(waitQuantile(counts, 0.5) ?? 0),
    firstTokenP95: Math.round(waitQuantile(counts, 0.95) ?? 0),
    outputTokensPerSecond:
      milliseconds === 0 ? null : Math.round((total(rows, "output_tokens") * 10_000) / milliseconds) / 10,
    few: streamed < thresholds.fewADay,
  };
}

function total(rows: readonly AvailabilityRow[], column: FirstTokenColumn | "output_ms" | "output_tokens"): number {
  return rows.reduce((sum, row) => sum + row[column], 0);
}
