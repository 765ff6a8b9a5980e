import { expect, it } from "vitest";
import { isPageVisit } from "./page-visit.ts";

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const visit = (path: string, headers: Record<string, string>, method = "GET") => isPageVisit({ method, headers }, path);

it("a browser that opens /models gets the page, a program that lists models the list", () => {
  expect(visit("/models", { accept: browser })).toBe(true);
  expect(visit("/models", { accept: browser }, "HEAD")).toBe(true);
  expect(visit("/", { accept: browser })).toBe(true);
  expect(visit("/models", {})).toBe(false);
  expect(visit("/models", { accept: "*/*" })).toBe(false);
  expect(visit("/models", { accept: "application/json" })).toBe(false);
});

it("whoever bears a key is a program, whatever it accepts", () => {
  for (const header of ["authorization", "x-api-key", "x-goog-api-key"]) {
    expect(visit("/models", { accept: browser, [header]: "key" })).toBe(false);
  }
});

it("no other address is taken from the calls", () => {
  for (const path of ["/v1/models", "/models/m", "/v1/chat/completions", "/healthz"]) {
    expect(visit(path, { accept: browser })).toBe(false);
  }
  expect(visit("/models", { accept: browser }, "POST")).toBe(false);
});
