import type { JsonObject } from "./json.ts";
import { SCRIPT_NAMES } from "./named-scripts.ts";
import type { Protocol } from "./protocol.ts";

/** The model that does not exist, for tests of exactly that. */
export const MISSING_MODEL = "sandbox-missing";

/** Models that are listed. Any other name but the missing one is answered as well. */
export const MODEL_IDS: readonly string[] = [
  "sandbox",
  "sandbox-gemini-3",
  ...SCRIPT_NAMES.map((name) => `sandbox-${name}`),
];

const CREATED = 1767225600;

/** The list in a family's shape. */
export function modelList(protocol: Protocol): JsonObject {
  const data = MODEL_IDS.map((id) => modelEntry(protocol, id));
  switch (protocol) {
    case "chat-completions":
    case "responses":
      return { object: "list", data };
    case "messages":
      return { data, has_more: false, first_id: MODEL_IDS[0] ?? null, last_id: MODEL_IDS.at(-1) ?? null };
    case "generate-content":
      return { models: data };
  }
}

/** One model in a family's shape. */
export function modelEntry(protocol: Protocol, id: string): JsonObject {
  switch (protocol) {
    case "chat-completions":
    case "responses":
      return { id, object: "model", created: CREATED, owned_by: "interlingua-sandbox" };
    case "messages":
      return { type: "model", id, display_name: `${id} (simulated)`, created_at: "2026-01-01T00:00:00Z" };
    case "generate-content":
      return {
        name: `models/${id}`,
        version: "1",
        displayName: `${id} (simulated)`,
        description: "A simulated model: no model is called.",
        inputTokenLimit: 1048576,
        outputTokenLimit: 65536,
        supportedGenerationMethods: ["generateContent", "countTokens", "streamGenerateContent"],
      };
  }
}
