import { writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { commandLine } from "../testing/command-line.ts";

const words = (line: string | undefined) => (line ?? "").split(/ {2,}/);
const rows = (text: string) => text.trimEnd().split("\n").slice(1).map(words);

test("accounts top-up, adjust and ledger move the balance and tell who did it", async () => {
  using scene = commandLine("sandbox: true");
  await scene.run("accounts", "create", "--name", "acme");
  const topUp = ["accounts", "top-up", "acme", "25.00", "--reference", "invoice 7", "--note", "by wire"];
  expect((await scene.run(...topUp)).out).toMatch(/^entry_\w+ {2}\$25\.00; "acme" has \$25\.00\.\n$/);
  const again = await scene.run(...topUp);
  expect(again).toMatchObject({
    code: 0,
    out: "",
    err: expect.stringMatching(/^Nothing has changed: "invoice 7" was/),
  });
  expect((await scene.run("accounts", "adjust", "acme", "-3.10", "--note", "a slip")).out).toContain("has $21.90.");
  const ledger = await scene.run("accounts", "ledger", "acme");
  const by = `command line (${userInfo().username})`;
  expect(rows(ledger.out).map((row) => row.slice(1))).toEqual([
    ["adjustment", "-$3.10", "$21.90", "-", by, "a slip"],
    ["top_up", "$25.00", "$25.00", "invoice 7", by, "by wire"],
  ]);
  const first = await scene.run("accounts", "ledger", "acme", "--limit", "1");
  const [, cursor = ""] = /--cursor (\S+)/.exec(first.err) ?? [];
  const rest = JSON.parse((await scene.run("accounts", "ledger", "acme", "--cursor", cursor, "--json")).out);
  expect(rest).toMatchObject({ entries: [{ kind: "top_up", amount: "$25.00" }], next_cursor: null });
});

test.each([
  [["accounts", "adjust", "default", "1"], "required option '--note <text>'"],
  [["accounts", "adjust", "default", "1", "--note", " "], "Say by --note why"],
  [["accounts", "top-up", "default", "-1"], "The amount must be more than $0.00"],
  [["accounts", "top-up", "default", "1000000.01"], "The amount must not be more than $1000000.00"],
  [["accounts", "top-up", "default", "1.0000000001"], "has more than nine decimals"],
  [["accounts", "top-up", "default", "none"], "It must be an amount in dollars"],
  [["accounts", "top-up", "nobody", "1"], 'There is no account "nobody"'],
  [["accounts", "refund", "default", "--call", "call_1"], 'charged nothing for a call "call_1"'],
  [["accounts", "ledger", "default", "--kind", "gift"], "Allowed choices are"],
  [["codes", "create", "--amount", "0"], "A code is worth more than $0.00"],
  [["codes", "create", "--amount", "1", "--count", "1001"], "It must be a whole number from 1 to 1000."],
  [["codes", "revoke", "code_1"], 'There is no code "code_1"'],
  [["orders", "create", "--account", "default", "--amount", "1.005", "--currency", "usd"], "is no amount of USD"],
  [["orders", "create", "--account", "default", "--amount", "5", "--currency", "eur"], "Say by --credit"],
  [["orders", "cancel", "order_1"], 'There is no order "order_1"'],
  [["prices", "set", "m", "--input", "1"], "Say --input and --output"],
  [["prices", "set", "m", "--input", "1", "--output", "-1"], "A price is at least $0.00"],
  [["prices", "set", "m", "--request", "1", "--from", "2020-01-01"], "cannot hold from a time that has passed"],
  [["prices", "show", "no-such-model"], 'No channel serves a model "no-such-model"'],
  [["audit", "--acknowledged", "/nowhere/ids"], "/nowhere/ids: cannot be read"],
])("%j is refused in words", async (args, message) => {
  using scene = commandLine("channels: []");
  const { code, out, err } = await scene.run(...args);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
  expect(err).not.toContain("    at ");
});

test("codes create prints the codes alone; list never shows one; revoke ends one", async () => {
  using scene = commandLine("sandbox: true");
  const made = await scene.run(
    "codes",
    "create",
    "--amount",
    "25",
    "--count",
    "3",
    "--expires",
    "30d",
    "--note",
    "fair",
  );
  const codes = made.out.trimEnd().split("\n");
  expect(codes).toHaveLength(3);
  for (const code of codes) expect(code).toMatch(/^ilr_[0-9a-hjkmnp-tv-z]{32}$/);
  const listed = await scene.run("codes", "list");
  for (const code of codes) expect(listed.out).not.toContain(code.slice(4, 12));
  const [first] = rows(listed.out);
  expect(first?.slice(1, 3)).toEqual(["open", "$25.00"]);
  expect((await scene.run("codes", "revoke", first?.[0] ?? "")).out).toContain("over $25.00 is revoked");
  expect(rows((await scene.run("codes", "list", "--state", "open")).out)).toHaveLength(2);
});

test("orders create prints the id alone; list and cancel know it", async () => {
  using scene = commandLine("sandbox: true");
  const made = await scene.run("orders", "create", "--account", "default", "--amount", "20", "--currency", "USD");
  expect(made).toMatchObject({ code: 0, err: '"default" gets $20.00 when 20.00 USD is paid with this order_id.\n' });
  const id = made.out.trim();
  const other = ["--amount", "3000", "--currency", "jpy", "--credit", "19.5"];
  expect((await scene.run("orders", "create", "--account", "default", ...other)).err).toContain("3000 JPY");
  await scene.run("orders", "cancel", id);
  const states = rows((await scene.run("orders", "list", "--account", "default")).out).map((row) => row.slice(2, 5));
  expect(states.toSorted()).toEqual([
    ["cancelled", "20.00 USD", "$20.00"],
    ["open", "3000 JPY", "$19.50"],
  ]);
});

const channels = `
channels:
  - { name: east, protocols: [messages], base_url: "https://api.anthropic.com", models: [{ id: fast, upstream_id: claude-haiku-4-5 }, other] }
  - { name: west, protocols: [messages], base_url: "https://west.example.com", models: ["*"] }
prices: [{ model: other, input: 1, output: 2 }]
`;

test("prices show tells which version holds on which channel, and where it comes from", async () => {
  using scene = commandLine(channels);
  const show = async (model: string) =>
    rows((await scene.run("prices", "show", model)).out).map((row) => row.slice(0, 4));
  expect(await show("other")).toEqual([
    ["east", "other", "input $1.00, output $2.00", "configuration"],
    ["west", "other", "input $1.00, output $2.00", "configuration"],
  ]);
  const [seeded] = await show("fast");
  expect(seeded?.[3]).toBe("seed");
  const set = [
    "--channel",
    "east",
    "--input",
    "1.25",
    "--output",
    "10",
    "--cache-read",
    "0.125",
    "--cache-write-5m",
    "2",
  ];
  expect((await scene.run("prices", "set", "fast", ...set)).out).toMatch(/^operator:price_\w+\n$/);
  expect((await show("fast"))[0]?.slice(2)).toEqual([
    "input $1.25, cache read $0.125, cache write 5m $2.00, output $10.00",
    "operator",
  ]);
  expect((await scene.run("prices", "set", "free-*", "--channel", "north", "--request", "0.01")).err).toContain(
    'There is no channel "north"',
  );
  const listed = rows((await scene.run("prices", "list")).out).map((row) => [row[0], row[1], row[3]]);
  expect(listed).toEqual([
    ["free-*", "north", "operator"],
    ["fast", "east", "operator"],
    ["other", "all", "configuration"],
  ]);
  expect(rows((await scene.run("prices", "list", "free-lunch")).out)).toHaveLength(1);
});

test("M14 audit tells what it looked at, and ends with 1 and the ids where something is wrong", async () => {
  using scene = commandLine("sandbox: true");
  await scene.run("accounts", "top-up", "default", "5");
  const clean = await scene.run("audit");
  expect(clean).toMatchObject({ code: 0, err: "" });
  expect(clean.out).toMatch(/^Looked at 1 accounts, .*1 ledger entries.*1 audit entries\.\n/);
  expect(clean.out).not.toContain("FAIL");
  const database = await openDatabase({ kind: "sqlite", path: scene.directory.file("data/a.db") });
  await database.write([database.compile(sql`update account set balance = 7`)]);
  await database.close();
  const file = scene.directory.file("ids");
  writeFileSync(file, "call_1\n\ncall_2\n");
  const wrong = await scene.run("audit", "--acknowledged", file);
  expect(wrong).toMatchObject({ code: 1, err: "2 checks have found something that must not be\n" });
  expect(wrong.out).toContain("account=acct_default balance=7 lines=5000000000");
  expect(wrong.out).toContain("call=call_2 problem=no record");
  const json = await scene.run("audit", "--json");
  expect(JSON.parse(json.out)).toMatchObject({ clean: false, counted: { accounts: 1 } });
});
