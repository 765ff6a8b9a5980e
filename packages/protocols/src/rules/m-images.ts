import { chat, chatGets, contents, contentsGet, items, itemsGet, part, pdf, png } from "./media.ts";
import { absent, without } from "./pattern.ts";
import { ask, kept, none, type RequestRow, type Row, refused, unsaid } from "./rule.ts";

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
