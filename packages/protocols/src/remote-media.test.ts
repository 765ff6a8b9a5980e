import { describe, expect, it } from "vitest";
import type { CanonicalRequest, JsonObject, ProtocolName } from "./canonical/index.ts";
import { ProtocolError } from "./canonical/index.ts";
import { codecs } from "./codecs.ts";
import { type FetchedMedia, remoteMedia, withFetchedMedia } from "./remote-media.ts";
import { plainVault } from "./shared/vault.ts";

const decode = (client: ProtocolName, body: JsonObject) =>
  codecs[client].decodeRequest({ model: "m", ...body }, { model: "m" }, { vault: plainVault() });
const target = (model: string) => ({ model, stream: false });
const png: FetchedMedia = { mediaType: "image/png", data: "iVBORw0KGgo=" };
const pdf: FetchedMedia = { mediaType: "application/pdf", data: "JVBERi0=" };

const image = "https://example.com/a.png";
const file = "https://example.com/b.pdf";
const asked = decode("responses", {
  input: [
    {
      role: "user",
      content: [
        { type: "input_image", image_url: image },
        { type: "input_file", file_url: file },
        { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" },
      ],
    },
    { type: "function_call", call_id: "c1", name: "look", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: [{ type: "input_image", image_url: image }] },
  ],
});

/** What an upstream is sent, with the fetched bytes in it. */
function sent(request: CanonicalRequest, name: ProtocolName, model: string, media: Record<string, FetchedMedia>) {
  const upstream = codecs[name];
  const placed = withFetchedMedia(request, upstream, target(model), new Map(Object.entries(media)));
  return { body: upstream.encodeRequest(placed.request, target(model)).body, notices: placed.notices };
}

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (cause) {
    if (cause instanceof ProtocolError) return `${cause.error.status} ${cause.error.param} ${cause.error.code}`;
    throw cause;
  }
  return "taken";
}

describe("M2 media at addresses", () => {
  it("are wanted as bytes by generateContent, in tool results too", () => {
    expect(remoteMedia(asked, codecs["generate-content"], target("gemini-3-flash"))).toEqual([
      { field: "input[0].content[0]", url: image },
      { field: "input[0].content[1]", url: file },
      { field: "input[2].output[0]", url: image },
    ]);
  });

  it("M1 are left to upstreams that fetch them; the vendor's chat models fetch no documents", () => {
    const wanted = (name: ProtocolName, model: string) =>
      remoteMedia(asked, codecs[name], target(model)).map(({ url }) => url);
    expect(wanted("messages", "claude-opus-4-8")).toEqual([]);
    expect(wanted("responses", "gpt-5.2")).toEqual([]);
    expect(wanted("chat-completions", "deepseek-chat")).toEqual([]);
    expect(wanted("chat-completions", "gpt-5.2")).toEqual([file]);
  });

  it("are wanted of http addresses alone, and none that the upstream reads", () => {
    const contents = decode("messages", {
      max_tokens: 9,
      messages: [
        {
          role: "user",
          content: ["gs://bucket/a.png", "https://youtu.be/x", "ftp://example.com/a", "HTTP://example.com/a"].map(
            (url) => ({ type: "image", source: { type: "url", url } }),
          ),
        },
      ],
    });
    expect(remoteMedia(contents, codecs["generate-content"], target("gemini-3-flash"))).toEqual([
      { field: "messages[0].content[3]", url: "HTTP://example.com/a" },
    ]);
  });

  it("are sent as bytes at every place, each with a notice of its own", () => {
    const { body, notices } = sent(asked, "generate-content", "gemini-3-flash", { [image]: png, [file]: pdf });
    const text = JSON.stringify(body);
    expect(text).not.toContain("example.com");
    expect(text.split(`{"mimeType":"image/png","data":"${png.data}"}`)).toHaveLength(4);
    expect(text).toContain(`{"mimeType":"application/pdf","data":"${pdf.data}"}`);
    expect(notices.map(({ field, verdict }) => [field, verdict])).toEqual([
      ["input[0].content[0]", "emulated"],
      ["input[0].content[1]", "emulated"],
      ["input[2].output[0]", "emulated"],
    ]);
  });

  it("leave the request as it came", () => {
    const before = structuredClone(asked);
    sent(asked, "generate-content", "gemini-3-flash", { [image]: png, [file]: pdf });
    expect(asked).toEqual(before);
  });

  it("a document goes to the vendor's chat model under its name", () => {
    const request = decode("responses", {
      input: [{ role: "user", content: [{ type: "input_file", file_url: file, filename: "b.pdf" }] }],
    });
    expect(sent(request, "chat-completions", "gpt-5.2", { [file]: pdf }).body.messages).toEqual([
      {
        role: "user",
        content: [{ type: "file", file: { filename: "b.pdf", file_data: `data:application/pdf;base64,${pdf.data}` } }],
      },
    ]);
  });

  it("M3 a PDF among the images is a document, a picture among the files an image", () => {
    const { body } = sent(asked, "generate-content", "gemini-3-flash", { [image]: pdf, [file]: png });
    expect(JSON.stringify(body)).toContain("application/pdf");
    const files = decode("responses", {
      input: [{ role: "user", content: [{ type: "input_file", file_url: file }] }],
    });
    expect(JSON.stringify(sent(files, "chat-completions", "gpt-5.2", { [file]: png }).body)).toContain('"image_url"');
  });

  it("of another kind than the caller said are refused by the field", () => {
    const film: FetchedMedia = { mediaType: "video/mp4", data: "AAAA" };
    expect(refusal(() => sent(asked, "generate-content", "gemini-3-flash", { [image]: film, [file]: pdf }))).toBe(
      "400 input[0].content[0] unsupported_media_type",
    );
    const said = decode("generate-content", {
      contents: [{ role: "user", parts: [{ fileData: { fileUri: file, mimeType: "application/pdf" } }] }],
    });
    expect(refusal(() => sent(said, "chat-completions", "gpt-5.2", { [file]: png }))).toBe(
      "400 contents[0].parts[0] unsupported_media_type",
    );
  });

  it("M7 a sound in a film's container is sent as a sound", () => {
    const url = "https://example.com/a.webm";
    const said = decode("generate-content", {
      contents: [{ role: "user", parts: [{ fileData: { fileUri: url, mimeType: "audio/webm" } }] }],
    });
    const { body } = sent(said, "chat-completions", "gpt-4o-audio", {
      [url]: { mediaType: "video/webm", data: "AAAA" },
    });
    expect(JSON.stringify(body)).toContain('"input_audio":{"data":"AAAA","format":"webm"}');
  });

  it("that were not fetched are refused as before, and the operator's part in it is told", () => {
    const work = () => codecs["generate-content"].encodeRequest(asked, target("gemini-3-flash"));
    expect(refusal(work)).toBe("400 input[0].content[0] unsupported_url");
    expect(work).toThrow(/media\.fetch/);
  });
});
