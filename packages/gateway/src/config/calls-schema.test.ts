import { expect, test } from "vitest";
import { loadConfig } from "./load-config.ts";
import { showConfig } from "./show-config.ts";

const day = 86_400_000;
const load = (text: string) => loadConfig({ file: "f", env: {}, fileSystem: { read: async () => text } });

test("S2 no content is kept unless the file says so; calls are kept for 400 days", async () => {
  const { calls, contentLogging } = await load("");
  expect(calls).toEqual({ retentionMs: 400 * day });
  expect(contentLogging).toEqual({ enabled: false, retentionMs: 7 * day, maxBytes: 262_144 });
});

test("content logging is turned on in one word, or with its settings", async () => {
  for (const value of ["on", "true", "{ enabled: true }"]) {
    expect((await load(`content_logging: ${value}`)).contentLogging.enabled).toBe(true);
  }
  for (const value of ["off", "false", "{ retention: 1d }"]) {
    expect((await load(`content_logging: ${value}`)).contentLogging.enabled).toBe(false);
  }
  const { contentLogging, calls } = await load(
    "content_logging: { enabled: true, retention: 36h, max_bytes: 1MiB }\ncalls: { retention: 30d }",
  );
  expect(contentLogging).toEqual({ enabled: true, retentionMs: 1.5 * day, maxBytes: 1_048_576 });
  expect(calls.retentionMs).toBe(30 * day);
});

test("S2 content is kept for 30 days at most", async () => {
  await expect(load("content_logging: { retention: 31d }")).rejects.toThrow("content_logging.retention: must be from");
  await expect(load("content_logging: sometimes")).rejects.toThrow("content_logging: must be");
  await expect(load("calls: { retention: 1h }")).rejects.toThrow("calls.retention: must be from 1d to 3650d");
});

test("what is in force is shown as it can be written", async () => {
  const shown = showConfig(await load("content_logging: { enabled: true, retention: 36h }"));
  expect(shown).toContain("calls:\n  retention: 400d\n");
  expect(shown).toContain("content_logging:\n  enabled: true\n  retention: 36h\n  max_bytes: 256KiB\n");
});
