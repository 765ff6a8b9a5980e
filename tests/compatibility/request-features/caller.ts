import { holds, type RequestFeature } from "./feature.ts";

/** Who asks, and how the call is to be served. */
export const callerFeatures: readonly RequestFeature[] = [
  {
    title: "end-user id",
    ask: {
      "chat-completions": { safety_identifier: "user-1" },
      responses: { safety_identifier: "user-1" },
      messages: { metadata: { user_id: "user-1" } },
    },
    seen: {
      "chat-completions": holds("user-1"),
      responses: holds("user-1"),
      messages: (body) => body.metadata?.user_id === "user-1",
    },
  },
  {
    title: "metadata pairs",
    ask: {
      "chat-completions": { metadata: { project: "p1" }, store: true },
      responses: { metadata: { project: "p1" } },
    },
    seen: {
      "chat-completions": (body) => body.metadata?.project === "p1",
      responses: (body) => body.metadata?.project === "p1",
    },
  },
  {
    title: "service tier",
    ask: {
      "chat-completions": { service_tier: "priority" },
      responses: { service_tier: "priority" },
      messages: { service_tier: "standard_only" },
      "generate-content": { serviceTier: "priority" },
    },
    seen: {
      "chat-completions": (body) => body.service_tier !== undefined,
      responses: (body) => body.service_tier !== undefined,
      messages: (body) => body.service_tier !== undefined,
      // The standard tier is Gemini's default and needs no word; only messages asks for it here.
      "generate-content": (body) => body.serviceTier === undefined || body.serviceTier === "priority",
    },
  },
  {
    title: "cache key",
    ask: { "chat-completions": { prompt_cache_key: "k1" }, responses: { prompt_cache_key: "k1" } },
    seen: {
      "chat-completions": (body) => body.prompt_cache_key === "k1",
      responses: (body) => body.prompt_cache_key === "k1",
    },
  },
];
