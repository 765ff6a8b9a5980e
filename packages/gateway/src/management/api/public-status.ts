import { z } from "zod";
import type { Incident } from "../../status/incidents.ts";
import { statusFeed } from "../../status/rss.ts";
import type { DayReport, PublicIncident, StatusBoard, StatusReport } from "../../status/status-board.ts";
import { apiRoute } from "../api-route.ts";
import { timeSchema } from "../api-schemas.ts";
import type { ManagementRoute } from "../routes.ts";
import {
  availabilitySchema,
  channelLabel,
  dayOfUtc,
  daySchema,
  incidentFields,
  overallStateSchema,
  shownChannelsSchema,
  shownStateSchema,
} from "./status-schemas.ts";

const standing = {
  state: shownStateSchema,
  under_observation: z.boolean(),
  availability: availabilitySchema,
};
const days = z.array(daySchema).describe("Earliest first; days without traffic are left out.");

const channelSchema = z.object({ ...channelLabel, ...standing, days }).meta({ id: "PublicChannelStatus" });
const modelSchema = z
  .object({
    id: z.string(),
    pattern: z.boolean().describe("With a '*': any name that fits it."),
    ...standing,
    days,
  })
  .meta({ id: "PublicModelStatus" });
const incidentSchema = z
  .object({ ...incidentFields, channels: z.array(z.object(channelLabel)) })
  .meta({ id: "PublicIncident" });

const statusSchema = z
  .object({
    generated_at: timeSchema,
    state: overallStateSchema,
    first_day: z.string().describe("The day of UTC with which the bars begin."),
    shown_channels: shownChannelsSchema,
    channels: z.array(channelSchema).describe("None where channels are hidden."),
    models: z.array(modelSchema),
    incidents: z.array(incidentSchema).describe("Those that last, and those of the last 90 days. The latest first."),
  })
  .meta({ id: "PublicStatus" });

/**
 * Readers may keep it for as long as the gateway itself does. Not what the console reads: whoever has just written a note
 * must see it.
 */
const publicHeaders = { "cache-control": "public, max-age=10" };

const forEverybody = {
  method: "GET",
  auth: "none",
  role: "anyone",
  scope: "installation",
  bodyBytes: 0,
  rate: "read",
  audit: "none",
} as const satisfies Partial<ManagementRoute>;

/** The status of the service for everybody: for the console, for programs, and as a feed. */
export function publicStatusRoutes({ board }: { board: Pick<StatusBoard, "status"> }): ManagementRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/api/v1/public/status",
      tag: "Public",
      summary: "Show the service's status",
      description: "Measured on real traffic. Needs no sign-in; answers are up to 10 seconds old.",
      auth: "none",
      role: "anyone",
      scope: "installation",
      audit: "none",
      answer: statusSchema,
      async handle() {
        return { body: statusJson(await board.status()) };
      },
    }),
    {
      ...forEverybody,
      path: "/status.json",
      async handle() {
        return {
          headers: {
            ...publicHeaders,
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin",
          },
          body: summaryJson(await board.status()),
        };
      },
    },
    {
      ...forEverybody,
      path: "/status.rss",
      async handle({ origin }) {
        const { generatedAt, incidents } = await board.status();
        return {
          headers: { ...publicHeaders, "content-type": "application/rss+xml; charset=utf-8" },
          body: statusFeed({ origin, generatedAt, incidents }),
        };
      },
    },
  ];
}

function statusJson(report: StatusReport): z.output<typeof statusSchema> {
  return {
    generated_at: report.generatedAt,
    state: report.state,
    first_day: dayOfUtc(report.firstDay),
    shown_channels: report.shownChannels,
    channels: report.channels.map(({ number, name, days: bars, ...standing }) => ({
      number,
      name,
      ...standingJson(standing),
      days: daysJson(bars),
    })),
    models: report.models.map(({ id, pattern, days: bars, ...standing }) => ({
      id,
      pattern,
      ...standingJson(standing),
      days: daysJson(bars),
    })),
    incidents: report.incidents.map(publicIncidentJson),
  };
}

/** The stable form for programs (docs/status.md): what goes on now, without the bars. */
function summaryJson({ generatedAt, state, channels, models, incidents }: StatusReport): object {
  return {
    version: 1,
    generated_at: new Date(generatedAt).toISOString(),
    state,
    channels: channels.map(({ number, name, ...standing }) => ({ number, name, ...standingJson(standing) })),
    models: models.map(({ id, pattern, ...standing }) => ({ id, pattern, ...standingJson(standing) })),
    incidents: incidents
      .filter(({ resolvedAt }) => resolvedAt === null)
      .map(({ id, title, severity, startedAt, updatedAt, models: touched, channels: labels }) => ({
        id,
        title,
        severity,
        started_at: new Date(startedAt).toISOString(),
        updated_at: new Date(updatedAt).toISOString(),
        channels: labels,
        models: touched,
      })),
  };
}

function standingJson({
  state,
  underObservation,
  availability,
}: Pick<StatusReport["channels"][number], "state" | "underObservation" | "availability">) {
  return { state, under_observation: underObservation, availability };
}

function daysJson(bars: readonly DayReport[]): z.output<typeof daySchema>[] {
  return bars.map(({ day, ...rest }) => ({ day: dayOfUtc(day), ...rest }));
}

/** What an incident tells, but for the channels. */
export function incidentJson(incident: Omit<Incident, "channels">) {
  const { id, title, body, severity, models, startedAt, resolvedAt, updatedAt, updates } = incident;
  return {
    id,
    title,
    body,
    severity,
    models: [...models],
    started_at: startedAt,
    resolved_at: resolvedAt,
    updated_at: updatedAt,
    updates: [...updates],
  };
}

function publicIncidentJson({ channels, ...incident }: PublicIncident): z.output<typeof incidentSchema> {
  return { ...incidentJson(incident), channels: [...channels] };
}
