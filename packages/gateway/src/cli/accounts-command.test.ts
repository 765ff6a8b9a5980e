import { expect, test } from "vitest";
import { commandLine } from "../testing/command-line.ts";

const words = (line: string | undefined) => (line ?? "").split(/ {2,}/);

test("accounts create, list, show, set, suspend and activate", async () => {
  using scene = commandLine("");
  const settings = ["--billing", "postpaid", "--credit-limit", "12.5", "--markup", "-2.5%", "--concurrency", "7"];
  const made = await scene.run("accounts", "create", "--name", "Acme Inc.", ...settings);
  expect(made.code).toBe(0);
  const lines = Object.fromEntries(made.out.trimEnd().split("\n").map(words));
  expect(lines).toMatchObject({
    name: "Acme Inc.",
    state: "active",
    billing: "postpaid",
    balance: "$0.00",
    reserved: "$0.00",
    available: "$12.50",
    "credit limit": "$12.50",
    markup: "-2.5%",
    limits: "unlimited requests a minute, unlimited tokens a minute, 7 calls at once",
  });
  expect((await scene.run("accounts", "show", lines.id ?? "")).out).toBe(made.out);
  const listed = (await scene.run("accounts", "list")).out.split("\n").map(words);
  expect(listed[0]?.slice(1, 5)).toEqual(["NAME", "STATE", "BILLING", "BALANCE"]);
  expect(listed.slice(1, 3).map((row) => row.slice(1))).toEqual([
    ["Acme Inc.", "active", "postpaid", "$0.00", "$0.00", "$12.50", "-2.5%", "-/-/7"],
    ["default", "active", "postpaid", "$0.00", "$0.00", "without bound", "0%", "-/-/-"],
  ]);
  const set = ["--billing", "prepaid", "--credit-limit", "none", "--concurrency", "default", "--name", "Acme"];
  const changed = await scene.run("accounts", "set", "Acme Inc.", ...set);
  expect(changed.out).toMatch(/credit limit +none: prepaid/);
  expect(changed.out).toContain("unlimited calls at once");
  expect((await scene.run("accounts", "suspend", "Acme")).out).toMatch(
    /^Account "Acme" \(acct_\w+\) is suspended\.\n$/,
  );
  expect((await scene.run("accounts", "list")).out).toMatch(/Acme +suspended/);
  expect((await scene.run("accounts", "activate", "Acme")).out).toContain("is active.");
});

test.each([
  [["create"], "required option '--name <name>'"],
  [["create", "--name", "default"], 'An account named "default" exists already'],
  [["create", "--name", "a", "--billing", "later"], "Allowed choices are prepaid, postpaid"],
  [["create", "--name", "a", "--markup", "10"], "It must be a percentage such as 10% or -2.5%."],
  [["create", "--name", "a", "--credit-limit", "much"], "is not an amount in dollars"],
  [["create", "--name", "a", "--credit-limit", "-1"], "A credit limit must be from $0.00"],
  [["show", "nobody"], 'There is no account "nobody"'],
  [["set", "default"], "Say what to set: interlingua accounts set --help"],
])("accounts %j is refused in words", async (args, message) => {
  using scene = commandLine("");
  const { code, out, err } = await scene.run("accounts", ...args);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).toContain(message);
  expect(err).not.toContain("    at ");
});

test("an account that the file declares is changed in the file", async () => {
  using scene = commandLine("accounts: [{ name: team }]");
  await scene.run("accounts", "create", "--name", "team");
  expect(await scene.run("accounts", "set", "team", "--markup", "0%")).toEqual({
    code: 1,
    out: "",
    err: 'The account "team" is declared in the configuration file: change it there\n',
  });
});
