import { expect, test } from "vitest";
import { curlOf } from "./curl.ts";

test("a body with quotes stays one word of the shell, and the key is left open", () => {
  const call = { client_protocol: "messages", model: "m", stream: false } as const;
  const command = curlOf(call, `{"text":"it's $HOME"}`, "https://gateway.example");
  expect(command).toContain("curl 'https://gateway.example/v1/messages'");
  expect(command).toContain(`-H "x-api-key: $INTERLINGUA_KEY"`);
  expect(command).toContain(`--data-raw '{"text":"it'\\''s $HOME"}'`);
});
