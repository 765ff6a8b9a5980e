/** What a file begins with, and what it is then. */
const beginnings: readonly (readonly [string, string])[] = [
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff", "image/jpeg"],
  ["GIF87a", "image/gif"],
  ["GIF89a", "image/gif"],
  ["%PDF-", "application/pdf"],
  ["ID3", "audio/mpeg"],
  ["\xff\xfa", "audio/mpeg"],
  ["\xff\xfb", "audio/mpeg"],
  ["\xff\xf2", "audio/mpeg"],
  ["\xff\xf3", "audio/mpeg"],
  ["\xff\xf1", "audio/aac"],
  ["\xff\xf9", "audio/aac"],
  ["fLaC", "audio/flac"],
  ["OggS", "audio/ogg"],
  ["\x1a\x45\xdf\xa3", "video/webm"],
  ["\x00\x00\x01\xba", "video/mpeg"],
  ["\x00\x00\x01\xb3", "video/mpeg"],
  ["FLV\x01", "video/x-flv"],
];

/** RIFF and IFF files tell their kind behind a length, at the ninth byte. */
const chunkForms = new Map([
  ["RIFF WEBP", "image/webp"],
  ["RIFF WAVE", "audio/wav"],
  ["RIFF AVI ", "video/avi"],
  ["FORM AIFF", "audio/aiff"],
  ["FORM AIFC", "audio/aiff"],
]);

/** Files of the MP4 kind begin by a box `ftyp` with a brand; a brand that is not named here is a film's. */
const brands = new Map([
  ["heic", "image/heic"],
  ["heix", "image/heic"],
  ["mif1", "image/heif"],
  ["msf1", "image/heif"],
  ["avif", "image/avif"],
  ["avis", "image/avif"],
  ["M4A ", "audio/mp4"],
  ["M4B ", "audio/mp4"],
  ["qt  ", "video/quicktime"],
]);

/** What bytes are by their beginning: an image, a PDF, a sound or a film. Undefined for everything else, as for a web page. */
export function sniffMediaType(bytes: Buffer): string | undefined {
  const text = bytes.toString("latin1", 0, 16);
  const form = text.slice(8, 12);
  if (text.slice(4, 8) === "ftyp") return brands.get(form) ?? "video/mp4";
  return (
    chunkForms.get(`${text.slice(0, 4)} ${form}`) ?? beginnings.find(([beginning]) => text.startsWith(beginning))?.[1]
  );
}

/** Types by which a server says that it does not know what it sends. */
const unsaid: ReadonlySet<string> = new Set(["", "application/octet-stream", "binary/octet-stream"]);

/** Whether a `content-type` goes with what the bytes are: it is of the same kind, or tells none. */
export function goesWith(contentType: string | undefined, mediaType: string): boolean {
  const told = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return unsaid.has(told) || kindOf(told) === kindOf(mediaType);
}

/** Sound and film are one kind: their containers are the same. */
function kindOf(mediaType: string): string {
  if (/^(audio|video)\/|^application\/(ogg|mp4)$/.test(mediaType)) return "played";
  return mediaType.startsWith("image/") ? "image" : mediaType;
}
