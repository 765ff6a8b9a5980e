import { badRequest, type Failure } from "../failure.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "../json.ts";

/** Conversations that the provider holds (`thread`, beta `message-threads-2026-08-12`), by the id of their last answer. */
export interface ThreadStore {
  get(id: string): Thread | undefined;
  put(id: string, thread: Thread): void;
}

interface Thread {
  /** `messages`, the answer among them, and what a thread is created with. */
  held: JsonObject;
  /** Each answer can be continued once. */
  continued: boolean;
}

const KEPT = 1000;
const heldFields = ["system", "tools"] as const;

/** Makes an empty store, which keeps the newest 1,000; one per simulated provider. */
export function createThreadStore(): ThreadStore {
  const threads = new Map<string, Thread>();
  return {
    get: (id) => threads.get(id),
    put: (id, thread) => {
      threads.set(id, thread);
      for (const oldest of threads.keys()) {
        if (threads.size <= KEPT) break;
        threads.delete(oldest);
      }
    },
  };
}

/** Why a thread cannot be continued; nothing where the request names none or it can be. */
export function threadFailure(body: JsonObject, store: ThreadStore): Failure | undefined {
  const thread = objectOf(body.thread);
  if (thread.type !== "continue") return undefined;
  const found = store.get(textOf(thread.previous_message_id));
  if (!found) {
    const message = "No usable Thread state was found for `previous_message_id`.";
    return { kind: "not-found", message, code: "thread_not_found" };
  }
  if (found.continued) {
    return badRequest("This response has already been continued.", { code: "thread_already_continued" });
  }
  const repeated = heldFields.find((name) => body[name] !== undefined);
  return repeated === undefined ? undefined : badRequest(`${repeated}: a Thread takes it from its first request`);
}

/** The request with all that its thread holds before it. */
export function wholeRequest(body: JsonObject, store: ThreadStore): JsonObject {
  const held = store.get(textOf(objectOf(body.thread).previous_message_id))?.held;
  if (!held) return body;
  return { ...body, ...held, messages: [...objectsOf(held.messages), ...objectsOf(body.messages)] };
}

/** Keeps the conversation up to and including `answer`, where the request asks for it. */
export function keepThread(body: JsonObject, answer: JsonObject, store: ThreadStore): void {
  const thread = objectOf(body.thread);
  if (thread.type !== "create" && thread.type !== "continue") return;
  const whole = wholeRequest(body, store);
  const before = store.get(textOf(thread.previous_message_id));
  if (before) before.continued = true;
  const own = heldFields.flatMap((name) => (whole[name] === undefined ? [] : [[name, whole[name]] as const]));
  const messages = [...objectsOf(whole.messages), { role: "assistant", content: answer.content ?? [] }];
  store.put(textOf(answer.id), { held: { ...Object.fromEntries(own), messages }, continued: false });
}
