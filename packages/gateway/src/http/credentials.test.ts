import { describe, expect, it } from "vitest";
import { readCredential, readVersion } from "./credentials.ts";

describe("the key in every place of every family", () => {
  it.each([
    [{ authorization: "Bearer k" }, ""],
    [{ authorization: "bearer k" }, ""],
    [{ "x-api-key": "k" }, ""],
    [{ "x-goog-api-key": "k" }, ""],
    [{ "x-partner-api-key": "k" }, ""],
    [{}, "key=k"],
    [{ authorization: "Bearer k", "x-api-key": "k" }, "key=k"],
    [{ authorization: "Bearer k", "x-api-key": "" }, ""],
  ])("%j %s", (headers, query) => {
    expect(readCredential(headers, query)).toEqual({ kind: "key", value: "k", query: "" });
  });

  it("takes the key out of the query and leaves the rest", () => {
    expect(readCredential({}, "alt=sse&key=k&x=1")).toEqual({ kind: "key", value: "k", query: "alt=sse&x=1" });
  });

  it("keeps spaces, which the authenticator refuses", () => {
    expect(readCredential({ authorization: "Bearer  k" }, "")).toMatchObject({ value: " k" });
    expect(readCredential({ "x-api-key": "a b" }, "")).toMatchObject({ value: "a b" });
    expect(readCredential({}, "key=a%20b")).toMatchObject({ value: "a b" });
  });

  it("does not take another scheme for a key", () => {
    expect(readCredential({ authorization: "Basic eDp5" }, "")).toMatchObject({ value: "Basic eDp5" });
  });

  it("refuses two different keys", () => {
    expect(readCredential({ authorization: "Bearer a", "x-api-key": "b" }, "")).toMatchObject({ kind: "conflict" });
    expect(readCredential({ "x-goog-api-key": "a" }, "key=b")).toMatchObject({ kind: "conflict" });
    expect(readCredential({}, "key=a&key=b")).toMatchObject({ kind: "conflict" });
  });

  it("says when there is none", () => {
    expect(readCredential({}, "")).toEqual({ kind: "missing" });
    expect(readCredential({ authorization: "" }, "key=")).toEqual({ kind: "missing" });
  });
});

describe("the version header of messages is a date", () => {
  it("in both spellings", () => {
    expect(readVersion({ "anthropic-version": "2023-06-01" })).toEqual({ version: "2023-06-01" });
    expect(readVersion({ "partner-version": "2023-06-01" })).toEqual({ version: "2023-06-01" });
  });

  it.each([undefined, "", "latest", "2023-6-1", "2023-13-01", "2023-02-30", "2023-06-01T00:00:00Z"])(
    "not %s",
    (value) => {
      const headers = value === undefined ? {} : { "anthropic-version": value };
      expect(readVersion(headers)).toEqual({ problem: expect.stringContaining("anthropic-version") });
    },
  );
});
