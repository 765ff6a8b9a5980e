import type { MediaPart, Part } from "../canonical/index.ts";

export function isMedia(part: Part): part is MediaPart {
  return part.type === "image" || part.type === "audio" || part.type === "video" || part.type === "document";
}

/** The kind of part for a media type; one that is neither picture, sound nor film is a document. */
export function mediaKind(mediaType: string): MediaPart["type"] {
  const kind = mediaType.split("/", 1)[0]?.toLowerCase();
  return kind === "image" || kind === "audio" || kind === "video" ? kind : "document";
}
