import { type CanonicalRequest, type MediaPart, type Notice, type Part, refuse, type Turn } from "./canonical/index.ts";
import type { EncodeRequestContext, ProtocolCodec } from "./codec.ts";
import { isMedia, mediaKind } from "./shared/media-kind.ts";

/** A place in a request that holds an address where the upstream wants bytes (M2). */
export interface RemoteMedia {
  /** The caller's field. */
  field: string;
  /** By http or https. */
  url: string;
}

/** What stands at an address. */
export interface FetchedMedia {
  /** What the bytes are. */
  mediaType: string;
  /** Base64, padded. */
  data: string;
}

/** The places whose bytes this upstream must be given, in the order of the conversation. Most often none. */
export function remoteMedia(
  request: CanonicalRequest,
  upstream: ProtocolCodec,
  context: EncodeRequestContext,
): RemoteMedia[] {
  const places: RemoteMedia[] = [];
  const look = (part: Part): void => {
    if (part.type === "tool-result") part.content.forEach(look);
    else if (isMedia(part)) {
      const url = wantedAddress(part, upstream, context);
      if (url !== undefined) places.push({ field: fieldOf(part), url });
    }
  };
  for (const turn of request.turns) turn.parts.forEach(look);
  return places;
}

/**
 * The request with fetched bytes in the place of addresses, and a notice for each. `media`: by address; must hold all that
 * `remoteMedia` names. Refuses bytes that are not of the kind that the caller said.
 */
export function withFetchedMedia(
  request: CanonicalRequest,
  upstream: ProtocolCodec,
  context: EncodeRequestContext,
  media: ReadonlyMap<string, FetchedMedia>,
): { request: CanonicalRequest; notices: Notice[] } {
  const notices: Notice[] = [];
  const replaced = (part: Part): Part => {
    if (part.type === "tool-result") return { ...part, content: part.content.map(replaced) };
    const url = isMedia(part) ? wantedAddress(part, upstream, context) : undefined;
    const fetched = url === undefined ? undefined : media.get(url);
    if (!fetched || !isMedia(part)) return part;
    notices.push({
      field: fieldOf(part),
      verdict: "emulated",
      detail: "This model reads no media from addresses: the gateway fetched it and sent the bytes.",
    });
    return withBytes(part, fetched);
  };
  const turns = request.turns.map((turn): Turn => ({ ...turn, parts: turn.parts.map(replaced) }));
  return { request: { ...request, turns }, notices };
}

function wantedAddress(part: MediaPart, upstream: ProtocolCodec, context: EncodeRequestContext): string | undefined {
  const { source } = part;
  if (source.type !== "url" || !/^https?:/i.test(source.url)) return undefined;
  return upstream.wantsBytes(part, context) ? source.url : undefined;
}

function fieldOf(part: MediaPart): string {
  return part.at ?? part.type;
}

function withBytes(part: MediaPart, fetched: FetchedMedia): MediaPart {
  const mediaType = asSaid(part, fetched.mediaType);
  const source = { type: "base64", mediaType, data: fetched.data } as const;
  const kind = mediaKind(mediaType);
  if (kind === part.type) return { ...part, source };
  const { at, extras, cache, proof } = part;
  return { type: kind, source, at, extras, cache, proof };
}

/**
 * The type of the bytes where it is of the kind that the caller said. Who said nothing but where they stand gets what they
 * are; a PDF among the images is a document (M3); a film's container may hold a sound alone.
 */
function asSaid(part: MediaPart, mediaType: string): string {
  const said = part.source.type === "url" ? part.source.mediaType : undefined;
  const wanted = said === undefined ? part.type : mediaKind(said);
  const kind = mediaKind(mediaType);
  const unsaid = said === undefined && (wanted === "document" || (wanted === "image" && kind === "document"));
  if (kind === wanted || unsaid) return mediaType;
  if (wanted === "audio" && kind === "video") return mediaType.replace("video/", "audio/");
  const field = fieldOf(part);
  return refuse(
    field,
    `What '${field}' leads to is ${mediaType}, not what it is said to be.`,
    "unsupported_media_type",
  );
}
