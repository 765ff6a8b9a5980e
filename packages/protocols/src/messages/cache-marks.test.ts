import { describe, expect, test } from "vitest";
import type { Part, Turn } from "../canonical/index.ts";
import { encode, told, tool } from "../testing/messages-request-fixture.ts";
import { assistant, call, result, text, user } from "../testing/turns-fixture.ts";

describe("P20 cache marks", () => {
  test("54 of six marks the four latest stay", () => {
    const turns = [
      { role: "system", parts: [text("s1", {}), text("s2", {})] } as const,
      user(text("u1", {}), text("u2", {}), text("u3", {}), text("u4", {})),
    ].map((turn): Turn => ({ role: turn.role, parts: [...turn.parts] }));
    const encoded = encode({ turns });
    expect(JSON.stringify(encoded.body).match(/cache_control/g)).toHaveLength(4);
    expect(JSON.stringify(encoded.body.system)).not.toContain("cache_control");
    expect(told(encoded)).toEqual(["dropped cache_control"]);
  });

  test("136 a mark of one hour behind one of five minutes becomes one of five minutes", () => {
    const turns: Turn[] = [{ role: "system", parts: [text("s", {})] }, user(text("u", { ttl: "1h" }))];
    const encoded = encode({ turns });
    expect(encoded.body.messages).toMatchObject([{ content: [{ cache_control: { ttl: "5m" } }] }]);
    expect(told(encoded)).toEqual(["approximated cache_control"]);
  });

  test("77 a mark on any of several merged results stays", () => {
    const marked: Part = { type: "tool-result", callId: "b", toolKind: "function", content: [], cache: {} };
    const turns = [user(text("go")), assistant(call("a"), call("b")), user(result("a")), user(marked)];
    expect(JSON.stringify(encode({ turns, tools: [tool] }).body.messages)).toContain("cache_control");
  });
});
