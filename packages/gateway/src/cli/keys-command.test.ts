import { expect, test } from "vitest";
import { commandLine, keyForm } from "../testing/command-line.ts";

test("keys create prints the key alone on standard output, once; a list never shows it", async () => {
  using scene = commandLine("");
  const created = await scene.run("keys", "create", "--name", "ci");
  expect(created.code).toBe(0);
  expect(created.out).toMatch(new RegExp(`^${keyForm.source}\n$`));
  expect(created.err).toContain("shown only now");
  const listed = await scene.run("keys", "list");
  expect(listed.out).toMatch(/key_\w+ +ci +enabled/);
  expect(listed.out).not.toContain("ilk_");
});

test("keys disable and enable work by name, and say when there is no such key", async () => {
  using scene = commandLine("");
  await scene.run("keys", "create", "--name", "ci");
  expect((await scene.run("keys", "disable", "ci")).out).toMatch(/"ci" \(key_\w+\) is disabled/);
  expect((await scene.run("keys", "list")).out).toContain("disabled");
  expect((await scene.run("keys", "enable", "ci")).out).toContain("is enabled");
  const unknown = await scene.run("keys", "disable", "nobody");
  expect(unknown).toEqual({ code: 1, out: "", err: 'There is no access key "nobody"\n' });
});

test("keys create and keys limit set what a key may use; default takes it back", async () => {
  using scene = commandLine("");
  const limits = ["--requests-per-minute", "60", "--concurrency", "5"];
  expect((await scene.run("keys", "create", "--name", "ci", ...limits)).code).toBe(0);
  expect((await scene.run("keys", "list")).out).toMatch(/ci +enabled +- +60\/-\/5/);
  const changed = await scene.run("keys", "limit", "ci", "--tokens-per-minute", "1000", "--concurrency", "default");
  expect(changed.out).toMatch(
    /"ci" \(key_\w+\) has the limits: 60 requests a minute, 1000 tokens a minute, default calls at once\./,
  );
  expect((await scene.run("keys", "list")).out).toMatch(/ci +enabled +- +60\/1000\/-/);
});

test.each(["0", "-1", "1.5", "many", "1000000001", ""])("keys limit refuses %j and names the option", async (value) => {
  using scene = commandLine("");
  await scene.run("keys", "create", "--name", "ci");
  const { code, err } = await scene.run("keys", "limit", "ci", `--concurrency=${value}`);
  expect(code).toBe(1);
  expect(err).toContain("--concurrency");
  expect((await scene.run("keys", "list")).out).toMatch(/ci +enabled +- +-\/-\/-/);
});

test("keys limit says which limit or key is missing", async () => {
  using scene = commandLine("");
  await scene.run("keys", "create", "--name", "ci");
  expect(await scene.run("keys", "limit", "ci")).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Say which limit: --requests-per-minute/),
  });
  const unknown = await scene.run("keys", "limit", "nobody", "--concurrency", "1");
  expect(unknown).toMatchObject({ code: 1, err: 'There is no access key "nobody"\n' });
});

/** What `keys show` prints, by its first column. */
async function shown(scene: ReturnType<typeof commandLine>, key: string): Promise<Record<string, string>> {
  const { out } = await scene.run("keys", "show", key);
  return Object.fromEntries(
    out
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/)),
  );
}

test("keys create sets all that a key has, keys show shows it, keys set changes what it names", async () => {
  using scene = commandLine("");
  await scene.run("accounts", "create", "--name", "team");
  const made = await scene.run(
    ...["keys", "create", "--name", "ci", "--account", "team", "--expires", "2126-12-31", "--lossy", "refuse"],
    ...["--models", "gpt-5.2, claude-*", "--addresses", "10.0.0.0/8,2001:db8::1", "--content-logging", "on"],
    ...["--quota", "25.00", "--quota-period", "month"],
  );
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(keyForm) });
  expect(await shown(scene, "ci")).toMatchObject({
    name: "ci",
    account: expect.stringMatching(/^team \(acct_\w+\)$/),
    state: "enabled",
    expires: "2127-01-01T00:00:00Z",
    models: "gpt-5.2, claude-*",
    addresses: "10.0.0.0/8, 2001:db8::1",
    quota: "$25.00 a month",
    "lossy conversions": "refuse",
    "content logging": "on",
    "former secrets": "none",
  });
  const set = ["--quota", "30", "--models", "none", "--addresses", "all", "--expires", "never", "--name", "other"];
  expect((await scene.run("keys", "set", "ci", ...set)).code).toBe(0);
  const changed = { quota: "$30.00 a month", models: "none", addresses: "all", expires: "never" };
  expect(await shown(scene, "other")).toMatchObject({ ...changed, "content logging": "on" });
  await scene.run("keys", "set", "other", "--quota", "none", "--models", "all", "--content-logging", "off");
  expect(await shown(scene, "other")).toMatchObject({ quota: "none", models: "all", "content logging": "off" });
  expect((await scene.run("keys", "list", "--account", "default")).err).toContain("There is no access key yet");
  expect((await scene.run("keys", "list", "--account", "team")).out).toMatch(/other +enabled .+ team +- +never/);
});

test("keys set needs something to set, and an amount beside a period", async () => {
  using scene = commandLine("");
  await scene.run("keys", "create", "--name", "ci");
  const nothing = await scene.run("keys", "set", "ci");
  expect(nothing).toMatchObject({ code: 1, err: "Say what to set: interlingua keys set --help\n" });
  const period = await scene.run("keys", "set", "ci", "--quota-period", "day");
  expect(period).toMatchObject({ code: 1, err: expect.stringContaining("Say the amount, too") });
  await scene.run("keys", "set", "ci", "--quota", "5");
  await scene.run("keys", "set", "ci", "--quota-period", "day");
  expect((await shown(scene, "ci")).quota).toBe("$5.00 a day");
});

test("keys create takes a time from now, and shows a key that has expired as such", async () => {
  using scene = commandLine("");
  await scene.run("keys", "create", "--name", "ci", "--expires", "30d");
  const days = (Date.parse((await shown(scene, "ci")).expires ?? "") - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  await scene.run("keys", "set", "ci", "--expires", "2000-01-01");
  expect((await scene.run("keys", "list")).out).toMatch(/ci +expired/);
});

test.each([
  ["--expires", "tomorrow"],
  ["--models", "a,,b"],
  ["--addresses", "10.0.0.0/33"],
  ["--quota", "1e3"],
  ["--quota", "9000000.01"],
  ["--quota-period", "year"],
  ["--lossy", "maybe"],
])("keys create refuses %s %s in words", async (option, value) => {
  using scene = commandLine("");
  const { code, out, err } = await scene.run("keys", "create", option, value);
  expect({ code, out }).toEqual({ code: 1, out: "" });
  expect(err).not.toContain("    at ");
  expect(err).toMatch(/--|quota|address/);
  expect((await scene.run("keys", "list")).err).toContain("There is no access key yet");
});

test("keys rotate prints the new key alone; keys revoke ends both for ever", async () => {
  using scene = commandLine("");
  const first = (await scene.run("keys", "create", "--name", "ci")).out;
  const rotated = await scene.run("keys", "rotate", "ci", "--grace", "2h");
  expect(rotated.out).toMatch(new RegExp(`^${keyForm.source}\n$`));
  expect(rotated.out).not.toBe(first);
  expect(rotated.err).toMatch(/^The former secret is good until \d{4}-.+Z\.\n/);
  expect((await shown(scene, "ci"))["former secrets"]).toMatch(/^\w{10} until \d{4}-/);
  const ended = await scene.run("keys", "rotate", "ci", "--grace", "0");
  expect(ended.err).toContain("All former secrets are refused from now on.");
  expect(await scene.run("keys", "rotate", "ci", "--grace", "91d")).toMatchObject({
    code: 1,
    err: "The former secret can stay good for 90 days at most\n",
  });
  expect((await scene.run("keys", "revoke", "ci", "--terminate")).out).toMatch(/"ci" \(key_\w+\) is revoked/);
  expect(await scene.run("keys", "enable", "ci")).toMatchObject({
    code: 1,
    err: 'The access key "ci" is revoked, which is final\n',
  });
});
