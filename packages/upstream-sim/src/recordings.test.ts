import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FACES } from "./face.ts";
import { type JsonObject, objectOf, parseJson } from "./json.ts";
import { createThreadStore } from "./messages/threads.ts";
import type { Protocol } from "./protocol.ts";
import { createResponseStore } from "./responses/store.ts";

/** Recorded exchanges with the real providers: beside the repository, unless INTERLINGUA_RECORDINGS names a folder. */
const ROOT = resolve(process.env.INTERLINGUA_RECORDINGS || join(import.meta.dirname, "../../../../shared/recordings"));

/** Under CI a missing folder is not skipped, so that reading it fails. */
const skipped = !existsSync(ROOT) && !process.env.CI;

const OFFICIAL: Record<Protocol, string> = {
  "chat-completions": "openai",
  responses: "openai",
  messages: "anthropic",
  "generate-content": "google",
};

/** What only the provider that recorded it can know: its proofs and its stored responses. */
const BOUND_TO_PROVIDER =
  /^The encrypted content|Invalid `(?:signature|data)` in|Corrupted thought signature|Previous response with id|^Background responses/;

function read(file: string): JsonObject {
  return existsSync(file) ? objectOf(parseJson(readFileSync(file, "utf8"))) : {};
}

function judge(protocol: Protocol, body: JsonObject): string | undefined {
  return FACES[protocol].validate(body, {
    headers: { "anthropic-version": "2023-06-01", "anthropic-beta": "any-feature-2026-01-01" },
    model: "recorded",
    store: createResponseStore(),
    threads: createThreadStore(),
    demandSignatures: false,
    jsonArray: false,
  })?.message;
}

describe.skipIf(skipped).each(Object.keys(FACES).filter(isProtocol))("recorded %s requests", (protocol) => {
  it("are taken by the judge wherever the real provider took them", () => {
    const refused: string[] = [];
    let judged = 0;
    for (const name of readdirSync(join(ROOT, protocol))) {
      const folder = join(ROOT, protocol, name);
      const meta = read(join(folder, "meta.json"));
      const body = read(join(folder, "request.json"));
      if (meta.provider !== OFFICIAL[protocol] || meta.status !== 200 || Object.keys(body).length === 0) continue;
      judged++;
      const message = judge(protocol, body);
      if (message !== undefined && !BOUND_TO_PROVIDER.test(message)) refused.push(`${name}: ${message}`);
    }
    expect(refused).toEqual([]);
    expect(judged).toBeGreaterThan(15);
  });
});

function isProtocol(name: string): name is Protocol {
  return Object.hasOwn(OFFICIAL, name);
}
