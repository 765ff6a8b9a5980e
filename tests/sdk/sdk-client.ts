import type { Caller } from "../recordings/read-back.ts";

/** What every client is asked to do, in the words of its own SDK. */
export interface SdkClient {
  name: string;
  /** Asks for text and gives the text back. */
  text(
    caller: Caller,
    model: string,
    stream: boolean,
    prompt: string,
  ): Promise<{ text: string; inputTokens: number; outputTokens: number }>;
  /**
   * Offers `get_weather`, asks for the weather of two cities, runs the calls that come with `weather`, sends the
   * results back, and gives the final text.
   */
  toolLoop(
    caller: Caller,
    model: string,
    stream: boolean,
    prompt: string,
    weather: (city: string) => string,
  ): Promise<string>;
  /** Asks for a JSON document by schema and gives its text back. */
  structured(caller: Caller, model: string, stream: boolean, prompt: string): Promise<string>;
}

export const citySchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const, description: "The city" } },
  required: ["city"],
  additionalProperties: false as const,
};

/** What the one tool on offer does. */
export const description = "Current weather of a city";
