import type { JsonObject } from "../canonical/index.ts";
import type { Letter } from "../testing/letters.ts";
import type { Pattern } from "./pattern.ts";
import { ask, type RequestRow, unsaid } from "./rule.ts";

export const png = "iVBORw0KGgo=";
export const pdf = "JVBERi0xLjQ=";
export const sound = "UklGRg==";

/** A question with one more part, in the client's own words. */
export const chat = (part: JsonObject): JsonObject => ({
  messages: [{ role: "user", content: [{ type: "text", text: "?" }, part] }],
});
export const items = (part: JsonObject): JsonObject => ({
  input: [{ role: "user", content: [{ type: "input_text", text: "?" }, part] }],
});
export const contents = (part: JsonObject): JsonObject => ({
  contents: [{ role: "user", parts: [{ text: "?" }, part] }],
});

/** The same part in all clients' words; where a client has none, the reason stands in its place. `key`: what of the part is told of. */
export function part(
  parts: { C?: JsonObject; R?: JsonObject; M?: JsonObject; G?: JsonObject },
  key: Partial<Record<Letter, string>> = {},
): RequestRow["asks"] {
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
export const chatGets = (wire: Pattern): Pattern => ({ messages: [{ content: [{ text: "?" }, wire] }] });
export const itemsGet = (wire: Pattern): Pattern => ({ input: [{ content: [{ text: "?" }, wire] }] });
export const contentsGet = (wire: Pattern): Pattern => ({ contents: [{ parts: [{ text: "?" }, wire] }] });
