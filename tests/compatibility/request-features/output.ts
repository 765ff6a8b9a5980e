import { config, holds, type RequestFeature, schema } from "./feature.ts";

/** The form of the answer. */
export const outputFeatures: readonly RequestFeature[] = [
  {
    title: "JSON object output",
    ask: {
      "chat-completions": {
        messages: [{ role: "user", content: "Give JSON" }],
        response_format: { type: "json_object" },
      },
      responses: { input: "Give JSON", text: { format: { type: "json_object" } } },
      "generate-content": config({ responseMimeType: "application/json" }),
    },
    seen: {
      "chat-completions": (body) => body.response_format?.type === "json_object",
      responses: (body) => body.text?.format?.type === "json_object",
      messages: (body) => body.output_config?.format !== undefined || holds("JSON object")(body.system),
      "generate-content": (body) => body.generationConfig?.responseMimeType === "application/json",
    },
  },
  {
    title: "JSON schema output",
    ask: {
      "chat-completions": {
        response_format: { type: "json_schema", json_schema: { name: "weather", schema, strict: true } },
      },
      responses: { text: { format: { type: "json_schema", name: "weather", schema, strict: true } } },
      messages: { output_config: { format: { type: "json_schema", schema } } },
      "generate-content": config({ responseMimeType: "application/json", responseJsonSchema: schema }),
    },
    seen: {
      "chat-completions": (body) => body.response_format?.json_schema?.schema?.properties?.city !== undefined,
      responses: (body) => body.text?.format?.schema?.properties?.city !== undefined,
      messages: (body) => body.output_config?.format?.schema?.properties?.city !== undefined,
      "generate-content": (body) =>
        (body.generationConfig?.responseJsonSchema ?? body.generationConfig?.responseSchema)?.properties?.city !==
        undefined,
    },
  },
];
