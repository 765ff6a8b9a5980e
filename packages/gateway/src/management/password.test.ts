import { expect, test } from "vitest";
import { systemPlatform } from "../platform.ts";
import { createHashQueue, HashQueueFull } from "./hash-queue.ts";
import { hashPassword, verifyPassword } from "./password-hash.ts";
import { passwordProblem } from "./password-rules.ts";

const { randomBytes } = systemPlatform();

test("S8 a password is kept as argon2id of 19 MiB and two passes, salted, and fits no other password", async () => {
  const hash = await hashPassword("correct horse battery", randomBytes);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword("correct horse battery", hash)).toBe(true);
  expect(await verifyPassword("correct horse batterx", hash)).toBe(false);
  expect(await hashPassword("correct horse battery", randomBytes)).not.toBe(hash);
  // The same letters, composed by another keyboard.
  const composed = await hashPassword("caf\u00e9 au lait noir", randomBytes);
  expect(await verifyPassword("cafe\u0301 au lait noir", composed)).toBe(true);
});

test("S8 a hash of scrypt is verified by its own parameters, one of an unknown form is an error", async () => {
  // From the test vectors of RFC 7914: N = 1024, r = 8, p = 16, the first 32 bytes.
  const salt = Buffer.from("NaCl").toString("base64").replaceAll("=", "");
  const digest = Buffer.from("fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162", "hex");
  const hash = `$scrypt$ln=10,r=8,p=16$${salt}$${digest.toString("base64").replaceAll("=", "")}`;
  expect(await verifyPassword("password", hash)).toBe(true);
  expect(await verifyPassword("passwort", hash)).toBe(false);
  await expect(verifyPassword("password", "$2b$10$abc")).rejects.toThrow("does not know");
});

test("S8 two hashes are computed at once, ten wait, and the next is refused", async () => {
  const queue = createHashQueue();
  let running = 0;
  let most = 0;
  const gates: (() => void)[] = [];
  const task = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise<void>((resolve) => gates.push(resolve));
    running -= 1;
    return "done";
  };
  const accepted = Array.from({ length: 12 }, () => queue.run(task));
  await expect(queue.run(task)).rejects.toBeInstanceOf(HashQueueFull);
  let ended = 0;
  for (const each of accepted) each.then(() => (ended += 1));
  while (ended < 12) {
    gates.shift()?.();
    await Promise.resolve();
  }
  expect(most).toBe(2);
  // Whatever fails gives its place back.
  const fail = () => Promise.reject(new Error("no"));
  for (let turn = 0; turn < 5; turn++) await expect(queue.run(fail)).rejects.toThrow("no");
});

test.each([
  ["short word", "at least 12"],
  ["password1234", "guessed first"],
  ["Welcome2024!!", "guessed first"],
  ["P@ssw0rd-2026", "guessed first"],
  ["qwertyuiop12", "guessed first"],
  ["monkeymonkey", "guessed first"],
  ["abcabcabcabc", "guessed first"],
  ["aaaaaaaaaaaaaaa", "guessed first"],
  ["123456789012", "guessed first"],
  ["AdaLovelace1815", "guessed first"],
  ["x".repeat(64) + "y".repeat(65), "at most 128"],
])("S8 the password %s is refused", (password, why) => {
  expect(passwordProblem(password, ["Ada Lovelace", "ada@example.com"])).toContain(why);
});

test.each(["correct horse battery", "mein Fahrrad ist kaputt", "漢字漢字仮名交じり文の合言葉", "k7#Qz!pW0vTr"])(
  "S8 the password %s is taken: length counts, not what it is made of",
  (password) => {
    expect(passwordProblem(password, ["Ada Lovelace", "ada@example.com"])).toBeUndefined();
  },
);
