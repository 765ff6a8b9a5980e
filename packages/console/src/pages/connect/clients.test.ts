import { expect, test } from "vitest";
import { clientGroups, clients } from "./clients.ts";

const values = { address: "https://gateway.example", key: "ilk_0123456789_secret", model: "claude-sonnet/4.5" };

test.each(clients.map((client) => [client.name, client] as const))(
  "the settings of %s name the address, the key and the model",
  (_name, client) => {
    const all = client
      .snippets(values)
      .map(({ code }) => code)
      .join("\n");
    for (const value of Object.values(values)) expect(all).toContain(value);
    expect(all).not.toContain("undefined");
    // An address with two slashes in its middle is another one.
    expect(all).not.toContain("example//");
  },
);

test("every client stands in one group, under a name of its own", () => {
  expect(new Set(clients.map(({ id }) => id)).size).toBe(clients.length);
  expect(new Set(clients.map(({ group }) => group))).toEqual(new Set(clientGroups));
});

test("files that are JSON can be read as such", () => {
  const files = clients.flatMap((client) => client.snippets(values)).filter(({ title }) => title.endsWith(".json"));
  expect(files.length).toBeGreaterThanOrEqual(3);
  for (const { code } of files) expect(() => JSON.parse(code)).not.toThrow();
});

test("what is typed as a model is no part of a command", () => {
  const model = `x'; rm -rf "$HOME`;
  for (const client of clients.filter(({ id }) => id === "curl" || id === "claude-code")) {
    const shell = client.snippets({ ...values, model }).find(({ title }) => title === "Shell");
    expect(shell?.code).toContain(`x'\\''; rm -rf`);
  }
});
