import { describe, expect, it } from "vitest";
import { familyOfPath, pathTrickOf, splitTarget } from "./raw-target.ts";

describe("C10 path tricks do not reach a handler", () => {
  it.each([
    "/v1%2fmessages",
    "/v1%2Fmessages",
    "/v1/%5cmessages",
    "/v1/messages%00",
    "//v1/messages",
    "/v1//messages",
    "/v1/./messages",
    "/v1/../messages",
    "/v1/messages/..",
    "/v1/messages;x=1",
    "/v1\\messages",
    "http://other/v1/messages",
    "/v1beta/models/a%5Cb:generateContent",
    "/v1beta/models/../x",
  ])("%s", (path) => {
    expect(pathTrickOf(path)).toBeDefined();
  });

  it.each([
    "/v1/messages",
    "/v1/messages/",
    "/v1beta/models/a%2Fb%3Ac:generateContent",
    "/v1/models/a%2Fb",
    "/",
    "/a..b",
  ])("%s is plain", (path) => {
    expect(pathTrickOf(path)).toBeUndefined();
  });
});

it("keeps the query apart from the path", () => {
  expect(splitTarget("/a?key=secret&x=?")).toEqual({ path: "/a", query: "key=secret&x=?" });
  expect(splitTarget("/a")).toEqual({ path: "/a", query: "" });
});

it.each([
  ["/v1/messages/unknown", "messages"],
  ["/messages", "messages"],
  ["/v1beta/anything", "generate-content"],
  ["/v1/models/m:generateContent", "generate-content"],
  ["/models/m:countTokens", "generate-content"],
  ["/v1/responses/x/y", "responses"],
  ["/v1/nothing", "chat-completions"],
  ["/v1/messagesx", "chat-completions"],
] as const)("an unknown %s is answered in the shape of %s", (path, family) => {
  expect(familyOfPath(path)).toBe(family);
});
