import { expect, test } from "vitest";
import { convertRequest } from "./convert-request.ts";

const call = { client_protocol: "generate-content", model: "m", stream: false } as const;
const hi = { contents: [{ role: "user", parts: [{ text: "Hi" }] }] };

test("what a preview tells is what a call would tell: every loss, by the client's own field", () => {
  const body = { ...hi, generationConfig: { topK: 5 }, labels: { team: "blue" } };
  const converted = convertRequest(call, body, { protocol: "responses", model: "gpt-4.1" });
  expect(converted).toMatchObject({
    body: { model: "gpt-4.1" },
    notices: [
      { field: "generationConfig.topK", verdict: "dropped" },
      { field: "labels", verdict: "dropped" },
    ],
  });
});

test("what a call would refuse, a preview refuses by the client's own field", () => {
  const body = { ...hi, generationConfig: { candidateCount: 2 } };
  expect(convertRequest(call, body, { protocol: "messages", model: "claude-opus-5" })).toMatchObject({
    refused: expect.stringContaining("generationConfig.candidateCount"),
  });
});
