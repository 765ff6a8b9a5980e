import { describe, expect, test } from "vitest";
import { call, image, refusal, repair, result, say } from "../testing/history-fixture.ts";
import { assistant, user } from "../testing/turns-fixture.ts";

describe("pairing", () => {
  test("H6 a result without a call becomes user text, with its images", () => {
    const orphan = { ...result("gone", "42", "sum"), content: [say("42"), image], at: "messages[1]" };
    const { turns, notices } = repair([user(say("q")), user(orphan)]);
    expect(turns[1]).toEqual(user(say("[tool result sum] 42"), image));
    expect(notices).toMatchObject([{ field: "messages[1]", verdict: "approximated" }]);
  });

  test("H6 the second result of one call is an orphan", () => {
    const { turns } = repair([user(say("q")), assistant(call("a")), user(result("a", "1"), result("a", "2"))]);
    expect(turns[2]).toEqual(user(result("a", "1"), say("[tool result a] 2")));
  });

  test("H7 a call without a result gets an error result, and its own turn stays untouched", () => {
    const signed = assistant(
      { type: "reasoning", text: "hm", proof: { family: "anthropic", kind: "signature", value: "s" } },
      call("a"),
      call("b"),
    );
    const { turns, notices } = repair([user(say("q")), signed, user(result("a"), say("go on"))]);
    expect(turns[1]).toBe(signed);
    expect(turns[2]?.parts).toEqual([
      result("a"),
      { ...result("b", "no result was returned", "read"), isError: true },
      say("go on"),
    ]);
    expect(notices).toHaveLength(1);
  });

  test("H8 a conversation that ends with a call is refused and names the id", () => {
    const last = assistant({ ...call("toolu_7"), at: "messages[1].content[0]" });
    const { param, message } = refusal(() => repair([user(say("q")), last]));
    expect(param).toBe("messages[1].content[0]");
    expect(message).toContain("toolu_7");
  });

  test("H9 a result without an id is paired by its name, else by its place", () => {
    const turns = [
      user(say("q")),
      assistant(call("a", "read"), call("b", "write")),
      user(result("", "w", "write"), result("", "r")),
    ];
    const { turns: repaired, notices } = repair(turns);
    expect(repaired[2]).toEqual(user(result("a", "r"), result("b", "w", "write")));
    expect(notices).toHaveLength(2);
  });

  test("H9 a result with an id is never robbed of its call by one without", () => {
    const turns = [user(say("q")), assistant(call("a"), call("b")), user(result("", "second"), result("a", "first"))];
    expect(repair(turns).turns[2]).toEqual(user(result("a", "first"), result("b", "second")));
  });

  test("H9 a result whose name fits no waiting call is an orphan", () => {
    const turns = [user(say("q")), assistant(call("a", "read")), user(result("a"), result("", "x", "other"))];
    expect(repair(turns).turns[2]).toEqual(user(result("a"), say("[tool result other] x")));
  });

  test("H10 a repeated id is told apart by its place, in the call and in its result", () => {
    const turns = [
      user(say("q")),
      assistant(call("x")),
      user(result("x", "first")),
      assistant(call("x")),
      user(result("x", "second")),
    ];
    const { turns: repaired, notices } = repair(turns);
    expect(repaired.slice(0, 3)).toEqual(turns.slice(0, 3));
    expect(repaired.slice(3)).toEqual([assistant(call("x_2")), user(result("x_2", "second"))]);
    expect(notices).toHaveLength(1);
  });

  test("H10 a suffix never meets an id that is already there", () => {
    const turns = [
      user(say("q")),
      assistant(call("x_2"), call("x"), call("x")),
      user(result("x_2", "0"), result("x", "1"), result("x", "2")),
    ];
    expect(repair(turns).turns[2]).toEqual(user(result("x_2", "0"), result("x", "1"), result("x_3", "2")));
  });
});
