import type { Family } from "./protocol.ts";

/** Where the bytes of an image, a document, a sound or a video are. */
export type MediaSource =
  | { type: "base64"; mediaType: string; data: string }
  | { type: "url"; url: string; mediaType?: string }
  /** A file held by one provider; only that family can read it. */
  | { type: "file"; id: string; family: Family; mediaType?: string }
  /** Plain text in the place of bytes (a text document). */
  | { type: "text"; text: string; mediaType: string };
