import { type CanonicalRequest, codecs, type Notice, remoteMedia, withFetchedMedia } from "@interlingua/protocols";
import type { Candidate } from "../channels/route-plan.ts";
import type { MediaFetcher } from "../media/media-fetcher.ts";
import type { AttemptEnd } from "./attempt-end.ts";
import type { Course } from "./course.ts";

/** A request as a candidate can be sent it, and what tells of the change. */
interface PlacedRequest {
  kind: "placed";
  request: CanonicalRequest;
  notices: readonly Notice[];
}

/**
 * Puts bytes in the place of addresses that this candidate's upstream does not read (M2), fetched once for all candidates
 * of a call. Gives the attempt's end instead where the caller leaves meanwhile, or the gateway must end the call. Rejects
 * with a `ProtocolError` (400, 413, 503) that names the field.
 */
export async function placeMedia(
  fetcher: MediaFetcher,
  course: Course,
  request: CanonicalRequest,
  { channel, protocol, upstreamModel }: Candidate,
): Promise<PlacedRequest | AttemptEnd> {
  const upstream = codecs[protocol];
  const target = { model: upstreamModel, stream: request.stream, ...channel.traits(protocol, upstreamModel) };
  const places = remoteMedia(request, upstream, target);
  if (places.length === 0) return { kind: "placed", request, notices: [] };
  course.media ??= fetcher.open(course.head.id);
  const fetched = course.media
    .fetch(places)
    .then((media) => ({ kind: "placed", ...withFetchedMedia(request, upstream, target, media) }) as const);
  const ended = new Promise<AttemptEnd>((resolve) => {
    course.onGone = () => resolve({ kind: "gone" });
    course.onCut = (error) => resolve({ kind: "cut", error });
  });
  try {
    return await Promise.race([fetched, ended]);
  } finally {
    course.onGone = undefined;
    course.onCut = undefined;
  }
}
