import { describe, expect, test } from "vitest";
import type { Part, Turn } from "../canonical/index.ts";
import { isObject } from "../shared/read.ts";
import { encode, signed, told, tool } from "../testing/messages-request-fixture.ts";
import { assistant, call, result, system, text, user } from "../testing/turns-fixture.ts";

describe("conversation", () => {
  test("H1 system blocks keep their borders and marks", () => {
    const turns: Turn[] = [
      { role: "system", parts: [text("A"), text("B", { ttl: "1h" })] },
      { role: "developer", parts: [text("C")] },
      user(text("x")),
    ];
    expect(encode({ turns }).body.system).toEqual([
      { type: "text", text: "A" },
      { type: "text", text: "B", cache_control: { type: "ephemeral", ttl: "1h" } },
      { type: "text", text: "C" },
    ]);
  });

  test("107 the attribution block goes back first, and only here", () => {
    const block = { type: "text", text: "x-anthropic-billing-header: v" };
    const encoded = encode({ turns: [system("A"), user(text("x"))], extras: { messages: { $attribution: block } } });
    expect(encoded.body.system).toEqual([block, { type: "text", text: "A" }]);
    expect(encoded.body).not.toHaveProperty("$attribution");
  });

  test("H2, 52 a system turn stays where the model takes it, else it is tagged text in place and never on top", () => {
    const turns = [user(text("a")), system("S"), assistant(text("b")), user(text("c"))];
    const roles = (model: string) => {
      const { messages, system: top } = encode({ turns }, model).body;
      expect(top).toBeUndefined();
      return Array.isArray(messages) ? messages.map((turn) => isObject(turn) && turn.role) : [];
    };
    expect(roles("claude-opus-4-8")).toEqual(["user", "system", "assistant", "user"]);
    expect(roles("claude-sonnet-4-5")).toEqual(["user", "assistant", "user"]);
    const misplaced = encode({ turns: [user(text("a")), assistant(text("b")), system("S"), user(text("c"))] });
    expect(misplaced.body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ text: "<system-reminder>\nS\n</system-reminder>" }, { text: "c" }] },
    ]);
    expect(told(misplaced)).toHaveLength(1);
  });

  test("H5, 50, 75 the results of a batch and the text behind them are one user turn, results first", () => {
    const turns = [
      user(text("go")),
      assistant(call("a"), call("b")),
      user(result("a")),
      user(text("and")),
      user(result("b")),
    ];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "user", content: [{ tool_use_id: "a" }, { tool_use_id: "b" }, { text: "and" }] },
    ]);
  });

  test("H12, 83 text behind a call moves in front of it", () => {
    const turns = [user(text("go")), assistant(call("a"), text("calling")), user(result("a"))];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      {},
      { content: [{ type: "text" }, { type: "tool_use" }] },
      {},
    ]);
  });

  test("H13, 24, 58, 132 no empty text block leaves", () => {
    const turns = [user(text(""), text("a")), assistant(text("")), user(text("b"))];
    expect(JSON.stringify(encode({ turns }).body)).not.toContain('"text":""');
  });

  test("48, 89 a call id of another family is made legal, alike for call and result", () => {
    const turns = [user(text("go")), assistant(call("functions.Bash:0")), user(result("functions.Bash:0", text("ok")))];
    const { messages } = encode({ turns, tools: [tool] }).body;
    const [id] = /"id":"([^"]+)"/.exec(JSON.stringify(messages))?.slice(1) ?? [];
    expect(id).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(JSON.stringify(messages)).toContain(`"tool_use_id":"${id}"`);
  });

  test("T14, 143 arguments of a call are always an object", () => {
    const input = (raw: string) => {
      const turns = [user(text("go")), assistant(call("a", { arguments: raw })), user(result("a", text("ok")))];
      const { messages } = encode({ turns, tools: [tool] }).body;
      return Array.isArray(messages) ? messages[1] : undefined;
    };
    expect(input("")).toMatchObject({ content: [{ input: {} }] });
    expect(input("{}")).toMatchObject({ content: [{ input: {} }] });
    expect(input("7")).toMatchObject({ content: [{ input: { value: 7 } }] });
  });

  test("T15, 138 media stays inside a tool result", () => {
    const image: Part = { type: "image", source: { type: "base64", mediaType: "image/jpg", data: "aGk=" } };
    const pdf: Part = { type: "document", source: { type: "base64", mediaType: "application/pdf", data: "aGk=" } };
    const turns = [user(text("go")), assistant(call("a")), user(result("a", image, pdf))];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      {},
      {},
      { content: [{ content: [{ type: "image", source: { media_type: "image/jpeg" } }, { type: "document" }] }] },
    ]);
  });

  test("M1, 28 an address stays an address", () => {
    const image: Part = { type: "image", source: { type: "url", url: "https://a.example/i.png" } };
    expect(encode({ turns: [user(image)] }).body.messages).toEqual([
      { role: "user", content: [{ type: "image", source: { type: "url", url: "https://a.example/i.png" } }] },
    ]);
  });
});

describe("proofs", () => {
  const foreign: Part = {
    type: "reasoning",
    text: "CANARY-TEXT",
    proof: { family: "openai", kind: "encrypted", value: "CANARY" },
  };

  test("L20 a foreign proof never leaves, and the loss of its text is told once", () => {
    const turns = [
      user(text("a")),
      assistant(foreign, text("b")),
      user(text("c")),
      assistant(foreign, text("d")),
      user(text("e")),
    ];
    const encoded = encode({ turns });
    expect(JSON.stringify(encoded.body)).not.toContain("CANARY");
    expect(told(encoded)).toEqual(["dropped messages"]);
  });

  test("62, L19 signed turns go back byte for byte", () => {
    const turns = [user(text("a")), assistant(signed("EqoB", " Hm.\n"), signed("Esec"), text("b")), user(text("c"))];
    expect(encode({ turns }).body.messages).toMatchObject([
      {},
      {
        content: [
          { type: "thinking", thinking: " Hm.\n", signature: "EqoB" },
          { type: "thinking", thinking: "", signature: "Esec" },
          { type: "text", text: "b" },
        ],
      },
      {},
    ]);
  });

  test("pair 12: a proof that a client brought back on the part behind its thought returns to the thought", () => {
    const proof = { family: "anthropic", kind: "signature", value: "EqoB" } as const;
    const turns = [
      user(text("a")),
      assistant({ type: "reasoning", summary: ["Hm."] }, call("t", { proof })),
      user(result("t", text("ok"))),
    ];
    expect(encode({ turns, tools: [tool] }).body.messages).toMatchObject([
      {},
      { content: [{ type: "thinking", thinking: "Hm.", signature: "EqoB" }, { type: "tool_use" }] },
      {},
    ]);
  });

  test("87 thinking whose proof never came is not replayed as signed", () => {
    const turns = [user(text("a")), assistant({ type: "reasoning", text: "Hm." }, text("b")), user(text("c"))];
    expect(JSON.stringify(encode({ turns }).body)).not.toContain("thinking");
  });
});
