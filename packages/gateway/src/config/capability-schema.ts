import { type CapabilityKind, type CapabilityValue, codecs, fitsKind, protocolNames } from "@interlingua/protocols";
import { z } from "zod";
import type { CapabilityEntry } from "./capability-entry.ts";
import { modelId, nameText } from "./channel-schema.ts";
import { suggest } from "./suggest.ts";

/** One entry of `capabilities`: what an operator says of models, over what the gateway knows of them. */
export const capabilitySchema = z
  .strictObject({
    model: modelId,
    protocol: z.enum(protocolNames, { error: `must be one of ${protocolNames.join(", ")}` }),
    channel: nameText.optional(),
    set: z.record(z.string(), z.unknown(), "must be names with values"),
  })
  .transform((entry, context): CapabilityEntry => {
    const { model, protocol, channel } = entry;
    const kinds = new Map(Object.entries(codecs[protocol].capabilityKinds).map((kind) => [snakeCase(kind[0]), kind]));
    const set: Record<string, CapabilityValue> = {};
    if (Object.keys(entry.set).length === 0) {
      context.addIssue({ code: "custom", path: ["set"], message: "must set at least one capability" });
    }
    for (const [name, value] of Object.entries(entry.set)) {
      const refuse = (message: string) => context.addIssue({ code: "custom", path: ["set", name], message });
      const known = kinds.get(name);
      if (!known) {
        const near = suggest(name, [...kinds.keys()]);
        const hint = near === undefined ? `known are ${[...kinds.keys()].join(", ")}` : `did you mean ${near}?`;
        refuse(`is no capability on ${protocol}, ${hint}`);
      } else if (fitsKind(value, known[1])) set[known[0]] = value;
      else refuse(mustBe(known[1]));
    }
    return { model, protocol, ...(channel === undefined ? {} : { channel }), set };
  });

function mustBe(kind: CapabilityKind): string {
  switch (kind.kind) {
    case "switch":
      return "must be true or false";
    case "count":
      return "must be a whole number from 0";
    case "word":
      return `must be one of ${kind.words.join(", ")}`;
    case "words":
      return `must be a list of any of ${kind.words.join(", ")}`;
  }
}

/** An entry as the file spells it. */
export function showCapability({ model, protocol, channel, set }: CapabilityEntry): object {
  const named = Object.entries(set).map(([name, value]) => [snakeCase(name), value]);
  return { model, protocol, ...(channel === undefined ? {} : { channel }), set: Object.fromEntries(named) };
}

/** A capability's name as the file spells it: `maxOutput` is `max_output`. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
