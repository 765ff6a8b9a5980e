import fc from "fast-check";
import { expect, test } from "vitest";
import { accumulate, responseToEvents } from "../shared/accumulate.ts";
import { repairHistory } from "../shared/history.ts";
import { Report } from "../shared/report.ts";
import * as arbitrary from "./arbitraries.ts";
import { checkEncoderOrder } from "./event-order.ts";

test("generated conversations are well-formed: the strictest rules change nothing", () => {
  const options = { user: arbitrary.imagePart(["base64", "url"], "openai"), customTools: true, resultErrors: true };
  fc.assert(
    fc.property(arbitrary.conversation(options), (turns) => {
      const report = new Report();
      repairHistory(
        turns,
        {
          midSystem: "user-text",
          consecutiveSameRole: false,
          userFirst: true,
          prefill: "refuse",
          emptyTextAllowed: false,
          assistantMedia: false,
          toolResultMedia: "following-user-turn",
          participantNames: false,
          phases: false,
        },
        report,
      );
      expect(report.notices).toEqual([]);
    }),
  );
});

test("generated requests name only tools that they offer", () => {
  const options: arbitrary.RequestOptions = {
    sampling: ["temperature", "seed"],
    stopSequences: 4,
    formats: ["json", "schema"],
    customTools: true,
    toolChoices: ["auto", "none", "required", "tool", "subset"],
    candidates: true,
  };
  fc.assert(
    fc.property(arbitrary.request(options), ({ tools, toolChoice, turns, sampling }) => {
      const names = tools.map((tool) => (tool.type === "server" ? tool.tool : tool.name));
      expect(new Set(names).size).toBe(names.length);
      const parts = turns.flatMap((turn) => turn.parts);
      for (const part of parts) if (part.type === "tool-call") expect(names).toContain(part.name);
      if (toolChoice?.mode === "tool") expect(names).toContain(toolChoice.name);
      if (toolChoice?.mode === "subset") expect(names).toEqual(expect.arrayContaining(toolChoice.names));
      expect(sampling).not.toHaveProperty("topK");
    }),
  );
});

test("generated answers can be told as events in encoder order", () => {
  fc.assert(
    fc.property(arbitrary.response({ candidates: true, customTools: true }), (answer) => {
      const events = responseToEvents(answer);
      checkEncoderOrder(events);
      expect(accumulate(events)).toEqual(answer);
    }),
  );
});
