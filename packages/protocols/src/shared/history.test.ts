import { describe, expect, test } from "vitest";
import type { Part, Turn } from "../canonical/index.ts";
import { call, image, refusal, repair, result, say } from "../testing/history-fixture.ts";
import { assistant, system, user } from "../testing/turns-fixture.ts";

describe("system turns", () => {
  test("H1 leading system and developer turns go to the system slot, in order", () => {
    const developer: Turn = { role: "developer", parts: [say("b")] };
    const { system: head, turns } = repair([system("a"), developer, user(say("q"))]);
    expect(head).toEqual([system("a"), developer]);
    expect(turns).toEqual([user(say("q"))]);
  });

  test("H2 a later system turn stays in place where the protocol knows it", () => {
    const turns = [user(say("q")), assistant(say("a")), system("now in German"), user(say("r"))];
    expect(repair(turns).turns).toEqual(turns);
  });

  test("H2 a later system turn becomes marked user text in its place elsewhere", () => {
    const turns = [user(say("q")), assistant(say("a")), { ...system("rule"), at: "messages[2]" }, user(say("r"))];
    const { turns: repaired, notices } = repair(turns, { midSystem: "user-text", consecutiveSameRole: false });
    expect(repaired[2]?.parts).toEqual([say("<system-reminder>\nrule\n</system-reminder>"), say("r")]);
    expect(notices).toMatchObject([{ field: "messages[2]", verdict: "approximated" }]);
  });

  test("H2 messages: kept behind a user turn and before the assistant's, folded elsewhere", () => {
    const rules = { midSystem: "where-lawful", consecutiveSameRole: false } as const;
    const lawful = [user(say("q")), system("rule"), assistant(say("a")), user(say("r")), system("last")];
    expect(repair(lawful, rules).turns).toEqual(lawful);
    const unlawful = [user(say("q")), assistant(say("a")), system("rule"), user(say("r"))];
    expect(repair(unlawful, rules).turns).toEqual(repair(unlawful, { ...rules, midSystem: "user-text" }).turns);
    const between = [user(say("q")), assistant(call("a")), system("rule"), user(result("a"))];
    expect(repair(between, rules).turns[2]?.parts[0]).toEqual(result("a"));
  });

  test("H2 a system turn between a call and its result does not part them", () => {
    const turns = [user(say("q")), assistant(call("a")), system("rule"), user(result("a"))];
    expect(repair(turns).turns).toEqual([user(say("q")), assistant(call("a")), user(result("a")), system("rule")]);
  });

  test("H3 the role developer is left to the protocol", () => {
    const turns: Turn[] = [user(say("q")), { role: "developer", parts: [say("d")] }, user(say("r"))];
    expect(repair(turns).turns[1]?.role).toBe("developer");
  });
});

describe("order", () => {
  test("H4 neighbours of one role are merged where the protocol demands it, and only there", () => {
    const turns = [user(say("a")), user(say("b")), assistant(say("c")), assistant(say("d")), user(say("e"))];
    expect(repair(turns).turns).toEqual(turns);
    expect(repair(turns, { consecutiveSameRole: false }).turns).toEqual([
      user(say("a"), say("b")),
      assistant(say("c"), say("d")),
      user(say("e")),
    ]);
  });

  test("H5 results of one batch stand in one user turn, in the order of the calls", () => {
    const turns = [user(say("q")), assistant(call("a"), call("b")), user(result("b")), user(result("a"))];
    expect(repair(turns).turns).toEqual([turns[0], turns[1], user(result("a"), result("b"))]);
  });

  test("H5 calls of one answer that came as two turns are one batch", () => {
    const turns = [user(say("q")), assistant(call("a")), assistant(call("b")), user(result("a"), result("b"))];
    expect(repair(turns).turns).toEqual([
      user(say("q")),
      assistant(call("a"), call("b")),
      user(result("a"), result("b")),
    ]);
  });

  test("H11 user text between a call and its result moves behind the results", () => {
    const turns = [user(say("q")), assistant(call("a")), user(say("wait"), result("a"), say("more"))];
    expect(repair(turns).turns[2]).toEqual(user(result("a"), say("wait"), say("more")));
    const apart = [user(say("q")), assistant(call("a")), user(say("wait")), user(result("a"))];
    expect(repair(apart).turns.slice(2)).toEqual([user(result("a"), say("wait"))]);
  });

  test("H12 text behind calls is left to the protocol: only messages wants its calls last", () => {
    const turns = [user(say("q")), assistant(call("a"), say("done")), user(result("a"))];
    expect(repair(turns).turns).toEqual(turns);
  });
});

describe("H13 empty content", () => {
  test("empty texts and empty assistant turns go, and the neighbours are merged", () => {
    const turns = [user(say(""), say("a")), assistant(say("")), user(say("b"))];
    expect(repair(turns, { emptyTextAllowed: false, consecutiveSameRole: false }).turns).toEqual([
      user(say("a"), say("b")),
    ]);
  });

  test("blank text goes only where it is all the text there is", () => {
    const beside = [user(say(" "), say("a"))];
    expect(repair(beside, { emptyTextAllowed: false }).turns).toEqual(beside);
    expect(repair([user(say(" "), image)], { emptyTextAllowed: false }).turns).toEqual([user(image)]);
  });

  test("an empty user turn is refused by name, not dropped", () => {
    const turns = [user(say("q")), assistant(say("a")), { ...user(say(" ")), at: "messages[2]" }];
    expect(refusal(() => repair(turns, { emptyTextAllowed: false })).param).toBe("messages[2]");
  });

  test("S18 an empty text that carries a signature stays", () => {
    const signed: Part = { ...say(""), proof: { family: "gemini", kind: "signature", value: "s" } };
    const turns = [user(say("q")), assistant(signed), user(say("r"))];
    expect(repair(turns, { emptyTextAllowed: false }).turns).toEqual(turns);
  });

  test("the cache mark of a dropped text passes to the part before it", () => {
    const marked: Part = { ...say(""), cache: { ttl: "1h" } };
    expect(repair([user(say("a"), marked)], { emptyTextAllowed: false }).turns).toEqual([
      user({ ...say("a"), cache: { ttl: "1h" } }),
    ]);
  });

  test("L27 an empty text inside a result goes, the result stays", () => {
    const turns = [user(say("q")), assistant(call("a")), user(result("a", ""))];
    expect(repair(turns, { emptyTextAllowed: false }).turns[2]).toEqual(user({ ...result("a"), content: [] }));
  });
});

describe("start and end", () => {
  test("H14 an assistant turn at the end is refused where the model cannot continue it", () => {
    const turns = [user(say("q")), { ...assistant(say("{")), at: "messages[1]" }];
    expect(refusal(() => repair(turns, { prefill: "refuse" })).param).toBe("messages[1]");
  });

  test("H14 a kept prefill loses its trailing white space", () => {
    const turns = [user(say("q")), assistant(say("The answer is \n"), say(" "))];
    expect(repair(turns).turns[1]).toEqual(assistant(say("The answer is")));
  });

  test("H15 a dot of the user comes before an assistant turn at the start", () => {
    const turns = [assistant(say("hello")), user(say("q"))];
    expect(repair(turns).turns).toEqual(turns);
    expect(repair(turns, { userFirst: true }).turns[0]).toEqual(user(say(".")));
  });

  test("H16 without a user turn the last system turn is the user's", () => {
    const { system: head, turns } = repair([system("a"), system("b")], { userFirst: true });
    expect(head).toEqual([system("a")]);
    expect(turns).toEqual([user(say("b"))]);
    expect(repair([system("a")]).system).toEqual([system("a")]);
  });

  test("a conversation without any message is refused", () => {
    expect(refusal(() => repair([])).message).toContain("no message");
  });
});

describe("H17 names of participants", () => {
  test("head their texts where several speak", () => {
    const turns = [
      { ...user(say("hi")), name: "Ada" },
      { ...user(say("ho")), name: "Bob" },
    ];
    expect(repair(turns).turns).toEqual(turns);
    expect(repair(turns, { participantNames: false }).turns).toEqual([user(say("Ada: hi")), user(say("Bob: ho"))]);
  });

  test("go with a notice where one speaks", () => {
    const { turns, notices } = repair([{ ...user(say("hi")), name: "Ada", at: "messages[0]" }], {
      participantNames: false,
    });
    expect(turns).toEqual([{ ...user(say("hi")), at: "messages[0]" }]);
    expect(notices).toMatchObject([{ field: "messages[0].name", verdict: "dropped" }]);
  });
});

describe("media", () => {
  test("M10 an image of the assistant is shown by the next user turn, behind the results", () => {
    const turns = [user(say("q")), assistant(image, call("a")), user(result("a"), say("and?"))];
    const { turns: repaired, notices } = repair(turns, { assistantMedia: false });
    expect(repaired[1]).toEqual(assistant(call("a")));
    expect(repaired[2]).toEqual(user(result("a"), say("The assistant's image:"), image, say("and?")));
    expect(notices).toHaveLength(1);
  });

  test("M10 an image in the last, assistant's turn is refused: there is nowhere to show it", () => {
    const turns = [user(say("q")), assistant({ ...image, at: "messages[1].content[0]" })];
    expect(refusal(() => repair(turns, { assistantMedia: false })).param).toBe("messages[1].content[0]");
  });

  test("T15 media in results is shown behind all results of the batch", () => {
    const pictured = { ...result("a"), content: [say("see"), image] };
    const turns = [user(say("q")), assistant(call("a"), call("b")), user(pictured, result("b"), say("and?"))];
    expect(repair(turns).turns).toEqual(turns);
    expect(repair(turns, { toolResultMedia: "following-user-turn" }).turns[2]).toEqual(
      user({ ...result("a"), content: [say("see")] }, result("b"), say("Output of tool call a:"), image, say("and?")),
    );
  });
});
