import { protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import { incidentSeverities } from "../../status/incidents.ts";
import { timeSchema } from "../api-schemas.ts";

/** Shapes that the public pages and the operators' notes share. */

const measured = ["operational", "degraded", "down", "unknown"] as const;

export const shownStateSchema = z
  .enum([...measured, "under_observation", "disabled"])
  .describe("'unknown': no traffic tells anything. 'under_observation': usable, a trial at small volume is advised.");

export const overallStateSchema = z
  .enum([...measured, "partly_down"])
  .describe("By the models. 'partly_down': some cannot be reached.");

export const shownChannelsSchema = z
  .enum(["names", "numbers", "hidden"])
  .describe("How this installation shows its channels to everybody.");

export const availabilitySchema = z
  .number()
  .min(0)
  .max(100)
  .nullable()
  .describe("Percent of attempts that were no fault of the upstream; null where few calls were made.");

/** How everybody may see a channel. */
export const channelLabel = {
  number: z.number().int().min(1).describe("The channel's place in the list."),
  name: z.string().nullable().describe("Null where names are not shown."),
};

const dayText = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .describe("A day of UTC.");

export const daySchema = z
  .object({ day: dayText, state: z.enum(["operational", "degraded", "down"]), availability: availabilitySchema })
  .meta({ id: "StatusDay" });

export const protocolSchema = z.enum(protocolNames);
export const severitySchema = z.enum(incidentSeverities);

const incidentUpdateSchema = z
  .object({
    id: z.string(),
    at: timeSchema,
    body: z.string().describe("Plain text."),
    resolves: z.boolean().describe("It tells that the incident is over."),
  })
  .meta({ id: "IncidentUpdate" });

/** What an incident tells, but for the channels. */
export const incidentFields = {
  id: z.string(),
  title: z.string(),
  body: z.string().describe("Plain text."),
  severity: severitySchema,
  models: z.array(z.string()).describe("Published names."),
  started_at: timeSchema,
  resolved_at: timeSchema.nullable().describe("Null while it lasts."),
  updated_at: timeSchema,
  updates: z.array(incidentUpdateSchema).describe("Newest first."),
};

/** The day of UTC as `2026-01-31`. */
export function dayOfUtc(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
