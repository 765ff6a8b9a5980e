import { get } from "node:http";
import { ollamaAddress } from "./default-channels.ts";

/** Longest list of local models that is read, in bytes. */
const maxBytes = 1024 * 1024;

/**
 * The names of the models of a local Ollama, or none when nothing answers within the time: most machines have none, and
 * that is no error.
 */
export function findLocalModels(timeoutMs = 300, address = ollamaAddress): Promise<string[]> {
  return new Promise((resolve) => {
    const none = () => resolve([]);
    const request = get(`${address}/api/tags`, { signal: AbortSignal.timeout(timeoutMs) }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
        if (text.length > maxBytes) response.destroy();
      });
      response.on("end", () => resolve(response.statusCode === 200 ? modelNames(text) : []));
      response.on("error", none);
      response.on("close", none);
    });
    request.on("error", none);
  });
}

/** Reads `{"models": [{"name": "llama3:8b"}]}`; whatever else answered there offers nothing. */
function modelNames(text: string): string[] {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return [];
  }
  const models: unknown =
    typeof document === "object" && document !== null && "models" in document ? document.models : [];
  if (!Array.isArray(models)) return [];
  return models.flatMap((model: unknown) =>
    typeof model === "object" && model !== null && "name" in model && typeof model.name === "string"
      ? [model.name]
      : [],
  );
}
