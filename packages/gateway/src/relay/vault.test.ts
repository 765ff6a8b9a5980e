import { randomFillSync } from "node:crypto";
import type { Proof } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createVault } from "./vault.ts";

const secret = new Uint8Array(32).fill(7);
const randomBytes = (size: number) => randomFillSync(new Uint8Array(size));
const vault = createVault({ secret, tenant: "a", randomBytes });
const proof: Proof = { family: "anthropic", kind: "signature", value: "s".repeat(5000), model: "m", itemId: "rs_1" };

describe("proofs in envelopes (conversion.md 2.5)", () => {
  it("come back as they were, in characters that fit every protocol", () => {
    const sealed = vault.seal(proof);
    expect(sealed).toMatch(/^gw1[A-Za-z0-9_-]+$/);
    expect(vault.open(sealed)).toEqual(proof);
  });

  it("look different each time", () => {
    expect(vault.seal(proof)).not.toBe(vault.seal(proof));
  });

  it("do not open for another tenant or another installation", () => {
    const sealed = vault.seal(proof);
    expect(createVault({ secret, tenant: "b", randomBytes }).open(sealed)).toBeUndefined();
    const other = new Uint8Array(32).fill(8);
    expect(createVault({ secret: other, tenant: "a", randomBytes }).open(sealed)).toBeUndefined();
  });

  it("do not open when a single bit was changed", () => {
    const sealed = vault.seal({ family: "gemini", kind: "encrypted", value: "v" });
    const bytes = Buffer.from(sealed.slice(3), "base64url");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(vault.open(`gw1${changed.toString("base64url")}`)).toBeUndefined();
    }
  });

  it.each(["", "gw1", "gw1!!!!", "gw1AAAA", "plain", "gw0x", `gw1${"A".repeat(2_000_000)}`])(
    "are never thrown at: %.20s",
    (value) => {
      expect(vault.open(value)).toBeUndefined();
    },
  );
});
