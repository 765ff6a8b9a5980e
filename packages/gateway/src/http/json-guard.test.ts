import { describe, expect, it } from "vitest";
import { guardJson } from "./json-guard.ts";

const limits = { jsonDepth: 64, jsonValues: 1000 };

describe("C7 JSON bombs are refused before they are parsed", () => {
  it.each([63, 64])("takes %i levels", (depth) => {
    expect(guardJson(`${"[".repeat(depth)}${"]".repeat(depth)}`, limits)).toEqual({ ok: true });
  });

  it("refuses 65 levels and says where", () => {
    const verdict = guardJson("[".repeat(65), limits);
    expect(verdict).toEqual({ ok: false, message: expect.stringContaining("at character 64") });
  });

  it("refuses more values than allowed, in arrays and in objects", () => {
    const list = `[${"1,".repeat(1001)}1]`;
    expect(guardJson(list, limits).ok).toBe(false);
    const object = `{${Array.from({ length: 1002 }, (_, index) => `"k${index}":1`).join(",")}}`;
    expect(guardJson(object, limits).ok).toBe(false);
    expect(guardJson(`[${"1,".repeat(900)}1]`, limits).ok).toBe(true);
  });

  it("does not count brackets and commas inside strings", () => {
    expect(guardJson(`{"a":"${"[{,".repeat(5000)}"}`, limits)).toEqual({ ok: true });
  });

  it("is linear in quotes and backslashes", () => {
    const text = `{"a":"${'\\\\\\"'.repeat(200_000)}"}`;
    const started = performance.now();
    expect(guardJson(text, limits).ok).toBe(true);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("S4 a key that stands twice is refused", () => {
  it.each([
    ['{"model":"a","model":"b"}', "model"],
    ['{"a":{"b":[{"c":1,"c":2}]}}', "c"],
    ['{"model":"a","\\u006dodel":"b"}', "model"],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ])("%s", (text, field) => {
    expect(guardJson(text, limits)).toMatchObject({ ok: false, field });
  });

  it("takes one key in different objects, and a value that looks like a key", () => {
    expect(guardJson('{"a":{"x":1},"b":{"x":2},"c":["a","a"],"d":"a"}', limits)).toEqual({ ok: true });
  });
});

describe("the place of the model name", () => {
  const place = (text: string) => {
    const verdict = guardJson(text, limits);
    return verdict.ok && verdict.model ? text.slice(verdict.model.start, verdict.model.end) : undefined;
  };

  it("is the top-level one only", () => {
    expect(place('{"x":{"model":"inner"},"model" : "outer","y":["model","z"]}')).toBe('"outer"');
    expect(place('{"x":{"model":"inner"}}')).toBeUndefined();
    expect(place('[{"model":"inner"}]')).toBeUndefined();
  });

  it("is undefined where the model is no string", () => {
    expect(place('{"model":5,"a":"b"}')).toBeUndefined();
    expect(place('{"model":["b"]}')).toBeUndefined();
    expect(place('{"model":{"a":"b"}}')).toBeUndefined();
  });

  it("holds escapes", () => {
    expect(place('{"a":"\\\\","model":"g\\"p\\\\t"}')).toBe('"g\\"p\\\\t"');
  });
});
