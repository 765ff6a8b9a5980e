import type { ThreadStore } from "./messages/threads.ts";
import type { ResponseStore } from "./responses/store.ts";

/** What a request is judged and read with, beside its body. Lives for one request. */
export interface JudgeContext {
  /** Header names in lower case. */
  headers: Record<string, string>;
  model: string;
  /** Stored responses of this simulated provider. */
  store: ResponseStore;
  /** Conversations that this simulated provider holds. */
  threads: ThreadStore;
  /** Demand thought signatures back from every model, not only from the newest Gemini generation. */
  demandSignatures: boolean;
  /** A streamed generateContent answer as one JSON array instead of SSE. */
  jsonArray: boolean;
}
