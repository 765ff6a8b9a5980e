import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { clients } from "../../packages/console/src/pages/connect/clients.ts";
import { agents } from "./agent.ts";
import { readBlocks, readSettings } from "./settings-page.ts";

const values = { address: "https://gateway.example", key: "ilk_0123456789_secret", model: "some-model" };
const pages = resolve(import.meta.dirname, "../../docs/clients");

describe.each(agents.map((agent) => [agent.name, agent] as const))("the page of %s", (_name, { page }) => {
  test.each(["shell", "files"] as const)("has a place for address, key and model, by %s", (way) => {
    const { shell, files } = readSettings(page, values, way);
    const all = [shell, ...files.map(({ text }) => text)].join("\n");
    for (const value of Object.values(values)) expect(all).toContain(value);
    // Nothing of the examples is left.
    expect(all).not.toMatch(/127\.0\.0\.1|YOUR_/);
  });

  test("has JSON that can be read as such", () => {
    for (const { language, code } of readBlocks(page, values)) {
      if (language === "json") expect(() => JSON.parse(code)).not.toThrow();
    }
  });
});

test("every agent has a page of its own, and every page an agent, but that of the Python SDKs", () => {
  const found = readdirSync(pages).filter((name) => name !== "README.md" && name !== "python.md");
  expect(found.sort()).toEqual(agents.map(({ page }) => `${page}.md`).sort());
});

const shown = clients.filter(({ group }) => group === "agents");

test.each(shown.map((client) => [client.name, client] as const))(
  "the console's settings of %s are those that were tried",
  (_name, client) => {
    const blocks = readBlocks(client.id, values);
    for (const { title, code } of client.snippets(values)) {
      const block = blocks.find(({ language, path }) =>
        title === "Shell" ? language === "sh" && !path : path === title,
      );
      // Keys and values count, and not how JSON is laid out.
      const same = title.endsWith(".json") ? JSON.stringify(JSON.parse(block?.code ?? "null")) : block?.code.trim();
      expect(same, title).toBe(title.endsWith(".json") ? JSON.stringify(JSON.parse(code)) : code);
    }
    expect(blocks).toHaveLength(client.snippets(values).length);
  },
);

test("the list of pages tells the versions that were tried", () => {
  const list = readFileSync(resolve(pages, "README.md"), "utf8");
  // The package's own file, which belongs to this test.
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(resolve(import.meta.dirname, "package.json"), "utf8"),
  ) as {
    dependencies: Record<string, string>;
    optionalDependencies: Record<string, string>;
  };
  for (const [name, version] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    if (!["@langchain/core", "zod"].includes(name)) expect(list, name).toContain(version);
  }
});
