import { badUpstream, type JsonObject } from "../canonical/index.ts";
import type { TokenCounting } from "../codec.ts";
import { isObject } from "../shared/read.ts";
import { camelFields, readFields } from "./fields.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequestWith } from "./request-encoder.ts";

/** `:countTokens` (generate-content.md 1), both ways. */
export const tokenCounting: TokenCounting = {
  decodeRequest(body, envelope, context) {
    // The whole request may stand inside, or only the contents.
    const whole = readFields(camelFields(body), "generateContentRequest");
    return decodeRequest(whole ?? body, { ...envelope, stream: false }, context);
  },

  encodeAnswer: (inputTokens) => ({ totalTokens: inputTokens }),

  upstream: {
    path: (model) => `${modelPath(model)}:countTokens`,

    encodeRequest(request, context) {
      // An unfinished conversation can be counted all the same.
      const { body } = encodeRequestWith(request, context, "keep");
      const { contents, systemInstruction, tools } = body;
      const inner: JsonObject = { model: modelName(context.model), contents };
      if (systemInstruction !== undefined) inner.systemInstruction = systemInstruction;
      if (tools !== undefined) inner.tools = tools;
      return { generateContentRequest: inner };
    },

    decodeAnswer(body) {
      const total = isObject(body) ? camelFields(body).totalTokens : undefined;
      // A count of 0 is left out on the wire.
      if (isObject(body) && total === undefined && body.error === undefined) return 0;
      if (typeof total !== "number") badUpstream("The upstream's token count holds no number.");
      return total;
    },
  },
};

/** A model as it stands in a path: bare names get the prefix of the Developer API. */
export function modelPath(model: string): string {
  return `/v1beta/${modelName(model).split("/").map(encodeURIComponent).join("/")}`;
}

function modelName(model: string): string {
  return /^(models|tunedModels|publishers|projects|dynamic)\//.test(model) ? model : `models/${model}`;
}
