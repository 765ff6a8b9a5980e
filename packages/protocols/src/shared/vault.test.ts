import fc from "fast-check";
import { expect, test } from "vitest";
import type { Proof } from "../canonical/part.ts";
import { text } from "../testing/arbitraries.ts";
import { plainVault } from "./vault.ts";

const vault = plainVault();

const proof: fc.Arbitrary<Proof> = fc.record(
  {
    family: fc.constantFrom("openai", "anthropic", "gemini", "deepseek"),
    kind: fc.constantFrom("signature", "encrypted", "redacted"),
    value: text().map((value) => value.toWellFormed()),
    model: fc.constant("some-model"),
    itemId: fc.constant("rs_1"),
  },
  { requiredKeys: ["family", "kind", "value"], noNullPrototype: true },
);

test("L19 what was sealed opens to the same", () => {
  fc.assert(
    fc.property(proof, (value) => {
      expect(vault.open(vault.seal(value))).toEqual(value);
    }),
  );
});

test("L19 an envelope survives a client that keeps it as bytes", () => {
  fc.assert(
    fc.property(proof, (value) => {
      const sealed = vault.seal(value);
      expect(sealed).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(Buffer.from(sealed, "base64").toString("base64")).toBe(sealed);
      expect(vault.open(Buffer.from(sealed, "base64").toString("base64url"))).toEqual(value);
    }),
  );
});

test("L21 anything else is no envelope, and never an exception", () => {
  const sealed = vault.seal({ family: "gemini", kind: "signature", value: "abc" });
  expect(vault.open("")).toBeUndefined();
  expect(vault.open("gw0E")).toBeUndefined();
  expect(vault.open(sealed.slice(0, -6))).toBeUndefined();
  expect(vault.open(`gw0E${Buffer.from('{"f":1}').toString("base64")}`)).toBeUndefined();
  expect(vault.open(`gw0E${Buffer.from('{"f":"x","k":"other","v":""}').toString("base64")}`)).toBeUndefined();
  fc.assert(
    fc.property(fc.string(), (value) => {
      expect(vault.open(`gw0E${value}`)).toBeUndefined();
    }),
  );
});
