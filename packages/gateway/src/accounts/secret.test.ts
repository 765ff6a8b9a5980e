import { readFileSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openDatabase } from "../storage/open-database.ts";
import { temporaryDirectory } from "../testing/temporary-directory.ts";
import { testPlatform } from "../testing/test-platform.ts";
import { checkPepper, createPepper } from "./pepper.ts";
import { loadSecret, secretsOf } from "./secret.ts";

const platform = testPlatform();
const long = "0123456789abcdef0123456789abcdef";

test("the first start makes a secret for its owner only; later starts read the same", () => {
  using directory = temporaryDirectory();
  const config = { secret: null, database: { kind: "sqlite", path: directory.file("data/a.db") } } as const;
  const first = loadSecret(config, platform);
  const file = directory.file("data/secret.key");
  expect(first).toMatchObject({ origin: "created", file });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "utf8")).toMatch(/^[A-Za-z0-9_-]{43}\n$/);
  expect(loadSecret(config, platform)).toEqual({ ...first, origin: "file" });
});

test("a secret of the environment leaves the disk alone", () => {
  using directory = temporaryDirectory();
  const database = { kind: "sqlite", path: directory.file("none/a.db") } as const;
  expect(loadSecret({ secret: long, database }, platform).origin).toBe("environment");
  expect(() => statSync(directory.file("none"))).toThrow("ENOENT");
});

test("former secrets stand behind the first line of the file and in the environment, each once", () => {
  using directory = temporaryDirectory();
  const database = { kind: "sqlite", path: directory.file("a.db") } as const;
  const [before, older] = [`${long}-before`, `${long}-older`];
  writeFileSync(directory.file("secret.key"), `${long}\n${before}\n\n`);
  const texts = (secret: { bytes: Uint8Array; former?: readonly Uint8Array[] }) =>
    secretsOf(secret).map((bytes) => new TextDecoder().decode(bytes));
  const formerSecrets = [older, before, long];
  expect(texts(loadSecret({ secret: null, formerSecrets, database }, platform))).toEqual([long, before, older]);
  expect(texts(loadSecret({ secret: older, formerSecrets, database }, platform))).toEqual([older, before, long]);
});

test("a short secret is refused and not repeated, wherever it comes from", () => {
  using directory = temporaryDirectory();
  const database = { kind: "sqlite", path: directory.file("a.db") } as const;
  const short = "short-canary";
  expect(() => loadSecret({ secret: short, database }, platform)).toThrow(
    /^INTERLINGUA_SECRET: the secret is too short/,
  );
  writeFileSync(directory.file("secret.key"), `  ${short}  \n`);
  expect(() => loadSecret({ secret: null, database }, platform)).toThrow(/secret\.key: the secret is too short/);
  expect(() => loadSecret({ secret: null, database }, platform)).not.toThrow(/canary/);
});

test("O5 another secret than the stored keys were made with is refused at start", async () => {
  using directory = temporaryDirectory();
  const database = await openDatabase({ kind: "sqlite", path: directory.file("a.db") });
  const secret = (text: string) => ({ bytes: new TextEncoder().encode(text), origin: "environment" }) as const;
  const check = (text: string) => checkPepper(database, createPepper(secret(text)), secret(text));
  await check(long);
  await check(long);
  await expect(check(`${long}x`)).rejects.toThrow(/not the secret/);
  await database.close();
});
