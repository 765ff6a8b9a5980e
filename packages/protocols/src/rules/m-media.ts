import type { JsonObject } from "../canonical/index.ts";
import { chatGets, contentsGet, itemsGet, part, pdf, png, sound } from "./media.ts";
import { absent, without } from "./pattern.ts";
import { approximated, ask, dropped, kept, none, type Row, refused, unsaid } from "./rule.ts";

const named = part(
  {
    C: { type: "file", file: { file_data: `data:application/pdf;base64,${pdf}`, filename: "a.pdf" } },
    R: { type: "input_file", file_data: `data:application/pdf;base64,${pdf}`, filename: "a.pdf" },
    M: { type: "document", title: "a.pdf", source: { type: "base64", media_type: "application/pdf", data: pdf } },
  },
  { C: ".filename", R: ".filename", M: ".title" },
);

const words = btoa("words");

/** A conversation in which the model answered with a text and a file. */
const answeredWith = (mimeType: string, data: string): JsonObject => ({
  contents: [
    { role: "user", parts: [{ text: "draw" }] },
    { role: "model", parts: [{ text: "here" }, { inlineData: { mimeType, data } }] },
    { role: "user", parts: [{ text: "nice" }] },
  ],
});

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
    id: "M5",
    says: "A document in an answer of the model moves to the next user message, because the others take none there.",
    kind: "request",
    asks: { C: unsaid, R: unsaid, M: unsaid, G: ask("contents[1].parts[1]", answeredWith("application/pdf", pdf)) },
    becomes: {
      C: approximated({ messages: [{}, { content: "here" }, { content: [{ type: "text" }, { type: "file" }, {}] }] }),
      R: approximated({ input: [{}, {}, { content: [{ type: "input_text" }, { type: "input_file" }, {}] }] }),
      M: approximated({ messages: [{}, {}, { content: [{ type: "text" }, { type: "document" }, {}] }] }),
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
    asks: { C: unsaid, R: unsaid, M: unsaid, G: ask("contents[1].parts[1]", answeredWith("image/png", png)) },
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
