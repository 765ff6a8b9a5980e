import type { JsonObject } from "../canonical/index.ts";
import { absent, type Pattern, without } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type RequestRow, type Row, refused } from "./rule.ts";

const unsaid = none("the client's protocol has no words for it");
const png = "iVBORw0KGgo=";
const pdf = "JVBERi0xLjQ=";
const sound = "UklGRg==";

/** A question with one more part, in the client's own words. */
const chat = (part: JsonObject): JsonObject => ({
  messages: [{ role: "user", content: [{ type: "text", text: "?" }, part] }],
});
const items = (part: JsonObject): JsonObject => ({
  input: [{ role: "user", content: [{ type: "input_text", text: "?" }, part] }],
});
const contents = (part: JsonObject): JsonObject => ({ contents: [{ role: "user", parts: [{ text: "?" }, part] }] });

/** The same part in all clients' words; where a client has none, the reason stands in its place. */
function part(parts: { C?: JsonObject; R?: JsonObject; M?: JsonObject; G?: JsonObject }, key = {}): RequestRow["asks"] {
  const { C, R, M, G } = parts;
  const fields = { C: "", R: "", M: "", G: "", ...key };
  return {
    C: C ? ask(`messages[0].content[1]${fields.C}`, chat(C)) : unsaid,
    R: R ? ask(`input[0].content[1]${fields.R}`, items(R)) : unsaid,
    M: M ? ask(`messages[0].content[1]${fields.M}`, chat(M)) : unsaid,
    G: G ? ask(`contents[0].parts[1]${fields.G}`, contents(G)) : unsaid,
  };
}

/** What the upstreams are sent of it. */
const chatGets = (wire: Pattern): Pattern => ({ messages: [{ content: [{ text: "?" }, wire] }] });
const itemsGet = (wire: Pattern): Pattern => ({ input: [{ content: [{ text: "?" }, wire] }] });
const contentsGet = (wire: Pattern): Pattern => ({ contents: [{ parts: [{ text: "?" }, wire] }] });

const address = "https://example.com/a.png";
const paper = "https://example.com/a.pdf";
const images = (url: string): RequestRow["asks"] =>
  part({
    C: { type: "image_url", image_url: { url } },
    R: { type: "input_image", image_url: url },
    M: { type: "image", source: { type: "url", url } },
    G: { fileData: { mimeType: "image/png", fileUri: url } },
  });
const inline = (mediaType: string, data: string): RequestRow["asks"] =>
  part({
    C: { type: "image_url", image_url: { url: `data:${mediaType};base64,${data}` } },
    R: { type: "input_image", image_url: `data:${mediaType};base64,${data}` },
    M: { type: "image", source: { type: "base64", media_type: mediaType, data } },
    G: { inlineData: { mimeType: mediaType, data } },
  });

/** M1 to M4 and M9: images, and addresses, data and handles of any media. */
export const imageRows: readonly Row[] = [
  {
    id: "M1",
    says: "The address of an image passes on to upstreams that fetch it themselves.",
    kind: "request",
    asks: images(address),
    becomes: {
      C: kept(chatGets({ image_url: { url: address } })),
      R: kept(itemsGet({ type: "input_image", image_url: address })),
      M: kept(chatGets({ type: "image", source: { type: "url", url: address } })),
      G: none("the upstream fetches no addresses, which is rule M2"),
    },
  },
  {
    id: "M1",
    says: "The address of a document passes on to upstreams that fetch it; OpenAI's chat completions want the bytes.",
    kind: "request",
    asks: part({
      R: { type: "input_file", file_url: paper },
      M: { type: "document", source: { type: "url", url: paper } },
      G: { fileData: { mimeType: "application/pdf", fileUri: paper } },
    }),
    becomes: {
      C: refused({ model: "gpt-4.1" }),
      R: kept(itemsGet({ type: "input_file", file_url: paper })),
      M: kept(chatGets({ type: "document", source: { type: "url", url: paper } })),
      G: none("the upstream fetches no addresses, which is rule M2"),
    },
  },
  {
    id: "M2",
    says: "An address is refused where the upstream wants bytes and the gateway is not allowed to fetch them.",
    kind: "request",
    asks: images(address),
    becomes: {
      C: none("the upstream fetches the image"),
      R: none("the upstream fetches the image"),
      M: none("the upstream fetches the image"),
      G: refused(),
    },
  },
  {
    id: "M3",
    says: "Data goes as it came, under the media type's right name.",
    kind: "request",
    asks: inline("image/JPG", png),
    becomes: {
      C: kept(chatGets({ image_url: { url: `data:image/jpeg;base64,${png}` } })),
      R: kept(itemsGet({ image_url: `data:image/jpeg;base64,${png}` })),
      M: kept(chatGets({ source: { type: "base64", media_type: "image/jpeg", data: png } })),
      G: kept(contentsGet({ inlineData: { mimeType: "image/jpeg", data: png } })),
    },
  },
  {
    id: "M3",
    says: "What is no base64 is refused by the field that holds it.",
    kind: "request",
    asks: {
      C: ask(
        "messages[0].content[1].image_url.url",
        chat({ type: "image_url", image_url: { url: "data:image/png;base64,%%" } }),
      ),
      R: ask("input[0].content[1].image_url", items({ type: "input_image", image_url: "data:image/png;base64,%%" })),
      M: ask(
        "messages[0].content[1].source.data",
        chat({ type: "image", source: { type: "base64", media_type: "image/png", data: "%%" } }),
      ),
      G: ask("contents[0].parts[1].inlineData.data", contents({ inlineData: { mimeType: "image/png", data: "%%" } })),
    },
    becomes: { C: refused(), R: refused(), M: refused(), G: refused() },
  },
  {
    id: "M3",
    says: "A PDF in the place of an image is a document.",
    kind: "request",
    asks: { ...inline("application/pdf", pdf), M: unsaid, G: unsaid },
    becomes: {
      C: kept(chatGets({ type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } })),
      R: kept(itemsGet({ type: "input_file", file_data: `data:application/pdf;base64,${pdf}` })),
      M: kept(chatGets({ type: "document", source: { media_type: "application/pdf", data: pdf } })),
      G: kept(contentsGet({ inlineData: { mimeType: "application/pdf", data: pdf } })),
    },
  },
  {
    id: "M4",
    says: "A handle on a file that another provider holds is refused, because nobody else has its bytes.",
    kind: "request",
    asks: part({
      C: { type: "file", file: { file_id: "file-1" } },
      R: { type: "input_file", file_id: "file-1" },
      M: { type: "document", source: { type: "file", file_id: "file_1" } },
      G: {
        fileData: { mimeType: "application/pdf", fileUri: "https://generativelanguage.googleapis.com/v1beta/files/x" },
      },
    }),
    becomes: {
      C: refused(),
      R: refused(),
      M: refused(),
      G: refused(),
      "C->R": kept(itemsGet({ type: "input_file", file_id: "file-1" })),
      "R->C": kept(chatGets({ type: "file", file: { file_id: "file-1" } })),
    },
  },
  {
    id: "M9",
    says: "How closely to look at an image stays between the two protocols of OpenAI; nothing is told where the model decides.",
    kind: "request",
    asks: part({
      C: { type: "image_url", image_url: { url: `data:image/png;base64,${png}`, detail: "low" } },
      R: { type: "input_image", image_url: `data:image/png;base64,${png}`, detail: "low" },
    }),
    becomes: {
      C: kept(chatGets({ image_url: { detail: "low" } })),
      R: kept(itemsGet({ type: "input_image", detail: "low" })),
      M: kept(chatGets({ type: "image", detail: absent })),
      G: kept(contentsGet(without("low"))),
    },
  },
];

const named = part(
  {
    C: { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}`, filename: "a.pdf" } },
    R: { type: "input_file", file_data: `data:application/pdf;base64,${pdf}`, filename: "a.pdf" },
    M: { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf", data: pdf } },
  },
  { C: ".filename", R: ".filename", M: ".title" },
);

const words = btoa("words");
const drawn: JsonObject = {
  contents: [
    { role: "user", parts: [{ text: "draw" }] },
    { role: "model", parts: [{ text: "here" }, { inlineData: { mimeType: "image/png", data: png } }] },
    { role: "user", parts: [{ text: "nice" }] },
  ],
};

/** M5 to M8 and M10: documents, sound, video, and images that a model drew. */
export const mediaRows: readonly Row[] = [
  {
    id: "M5",
    says: "A PDF is a document everywhere.",
    kind: "request",
    asks: part({
      C: { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } },
      R: { type: "input_file", file_data: `data:application/pdf;base64,${pdf}` },
      M: { type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } },
      G: { inlineData: { mimeType: "application/pdf", data: pdf } },
    }),
    becomes: {
      C: kept(chatGets({ type: "file", file: { file_data: `data:application/pdf;base64,${pdf}` } })),
      R: kept(itemsGet({ type: "input_file", file_data: `data:application/pdf;base64,${pdf}` })),
      M: kept(chatGets({ type: "document", source: { media_type: "application/pdf", data: pdf } })),
      G: kept(contentsGet({ inlineData: { mimeType: "application/pdf", data: pdf } })),
    },
  },
  {
    id: "M5",
    says: "A document's name goes along where the upstream has a field for it.",
    kind: "request",
    asks: named,
    becomes: {
      C: kept(chatGets({ file: { filename: "a.pdf" } })),
      R: kept(itemsGet({ filename: "a.pdf" })),
      M: kept(chatGets({ title: "a.pdf" })),
      G: dropped(contentsGet(without("a.pdf"))),
    },
  },
  {
    id: "M5",
    says: "A wish to cite from a document is left out where the upstream cannot be asked for it.",
    kind: "request",
    asks: part(
      {
        M: {
          type: "document",
          citations: { enabled: true },
          source: { type: "base64", media_type: "application/pdf", data: pdf },
        },
      },
      { M: ".citations" },
    ),
    becomes: {
      C: dropped(chatGets({ type: "file", citations: absent })),
      R: dropped(itemsGet({ type: "input_file", citations: absent })),
      G: dropped(contentsGet({ citations: absent, inlineData: { data: pdf } })),
    },
  },
  {
    id: "M6",
    says: "A document of plain text is a text under its title where the upstream has no such documents.",
    kind: "request",
    asks: part({
      C: { type: "file", file: { file_data: `data:text/plain;base64,${words}`, filename: "Notes" } },
      R: { type: "input_file", file_data: `data:text/plain;base64,${words}`, filename: "Notes" },
      M: { type: "document", title: "Notes", source: { type: "text", media_type: "text/plain", data: "words" } },
      G: { inlineData: { mimeType: "text/plain", data: words } },
    }),
    becomes: {
      C: kept({ messages: (value) => /words|d29yZHM=/.test(JSON.stringify(value)) }),
      R: kept(itemsGet({ type: "input_file", file_data: `data:text/plain;base64,${words}` })),
      M: kept(chatGets({ type: "document", source: { type: "text", data: "words" } })),
      G: kept(contentsGet({ text: "Notes\n\nwords" })),
      "M->C": kept(chatGets({ type: "text", text: "Notes\n\nwords" })),
      "M->R": kept(itemsGet({ type: "input_text", text: "Notes\n\nwords" })),
    },
  },
  {
    id: "M7",
    says: "Sound goes to models that hear.",
    kind: "request",
    asks: part({
      C: { type: "input_audio", input_audio: { data: sound, format: "wav" } },
      R: { type: "input_audio", input_audio: { data: sound, format: "wav" } },
      G: { inlineData: { mimeType: "audio/wav", data: sound } },
    }),
    becomes: {
      C: kept(chatGets({ input_audio: { data: sound, format: "wav" } })),
      R: kept(itemsGet({ input_audio: { data: sound, format: "wav" } }), { model: "gpt-audio" }),
      M: refused(),
      G: kept(contentsGet({ inlineData: { mimeType: "audio/wav", data: sound } })),
    },
  },
  {
    id: "M7",
    says: "Sound is refused where the model does not hear.",
    kind: "request",
    asks: part({
      C: { type: "input_audio", input_audio: { data: sound, format: "wav" } },
      R: { type: "input_audio", input_audio: { data: sound, format: "wav" } },
      G: { inlineData: { mimeType: "audio/wav", data: sound } },
    }),
    becomes: {
      C: none("the upstream tells by itself which of its models hear"),
      R: refused({ model: "gpt-4.1" }),
      M: refused(),
      G: none("all models of the upstream hear"),
    },
  },
  {
    id: "M8",
    says: "Video is refused where no model of the provider sees it.",
    kind: "request",
    asks: part({
      C: { type: "video_url", video_url: { url: `data:video/mp4;base64,${png}` } },
      G: { inlineData: { mimeType: "video/mp4", data: png } },
    }),
    becomes: {
      C: refused({ model: "gpt-4.1" }),
      R: refused(),
      M: refused(),
      G: kept(contentsGet({ inlineData: { mimeType: "video/mp4", data: png } })),
    },
  },
  {
    id: "M8",
    says: "Compatible servers of chat completions see video.",
    kind: "request",
    asks: part({ G: { inlineData: { mimeType: "video/mp4", data: png } } }),
    becomes: {
      C: kept(chatGets({ type: "video_url", video_url: { url: `data:video/mp4;base64,${png}` } })),
      R: refused(),
      M: refused(),
    },
  },
  {
    id: "M10",
    says: "An image that the model drew moves to the next user message, because the others take none from the assistant.",
    kind: "request",
    asks: { C: unsaid, R: unsaid, M: unsaid, G: ask("contents[1].parts[1]", drawn) },
    becomes: {
      C: approximated({
        messages: [
          {},
          { content: "here" },
          { role: "user", content: [{ type: "text" }, { type: "image_url" }, { text: "nice" }] },
        ],
      }),
      R: approximated({
        input: [
          {},
          { role: "assistant" },
          { role: "user", content: [{ type: "input_text" }, { type: "input_image" }, { text: "nice" }] },
        ],
      }),
      M: approximated({
        messages: [
          {},
          { role: "assistant" },
          { role: "user", content: [{ type: "text" }, { type: "image" }, { text: "nice" }] },
        ],
      }),
    },
  },
];
