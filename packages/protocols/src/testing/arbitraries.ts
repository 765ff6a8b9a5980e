/** Generators of canonical values for property tests. Each protocol restricts them to what it covers by their options. */
export * from "./arbitrary-conversation.ts";
export * from "./arbitrary-parts.ts";
export * from "./arbitrary-request.ts";
export * from "./arbitrary-response.ts";
export * from "./arbitrary-text.ts";
