import { randomFillSync } from "node:crypto";
import type { Proof } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createVault, holdsEnvelope } from "./vault.ts";

const secret = new Uint8Array(32).fill(7);
const randomBytes = (size: number) => randomFillSync(new Uint8Array(size));
const vault = createVault({ secret, tenant: "a", randomBytes });
const proof: Proof = { family: "anthropic", kind: "signature", value: "s".repeat(5000), model: "m", itemId: "rs_1" };

/** L21: absent for every encoder, and never taken for the client's own. */
const unreadable = expect.objectContaining({ family: "unreadable", value: "" });

describe("proofs in envelopes (conversion.md 2.5)", () => {
  it("come back as they were, in characters that fit every protocol", () => {
    const sealed = vault.seal(proof);
    expect(sealed).toMatch(/^gw1E[A-Za-z0-9+/]+=*$/);
    expect(vault.open(sealed)).toEqual(proof);
  });

  it("survive a client that keeps proofs as bytes", () => {
    const sealed = vault.seal(proof);
    expect(Buffer.from(sealed, "base64").toString("base64")).toBe(sealed);
  });

  it("look different each time", () => {
    expect(vault.seal(proof)).not.toBe(vault.seal(proof));
  });

  it("do not open for another tenant or another installation", () => {
    const sealed = vault.seal(proof);
    expect(createVault({ secret, tenant: "b", randomBytes }).open(sealed)).toEqual(unreadable);
    const other = new Uint8Array(32).fill(8);
    expect(createVault({ secret: other, tenant: "a", randomBytes }).open(sealed)).toEqual(unreadable);
  });

  it("do not open when a single bit was changed", () => {
    const sealed = vault.seal({ family: "gemini", kind: "encrypted", value: "v" });
    const bytes = Buffer.from(sealed.slice(4), "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(vault.open(`gw1E${changed.toString("base64")}`)).toEqual(unreadable);
    }
  });

  it.each(["", "gw1", "plain", "gw0x"])("are not seen in another value: %s", (value) => {
    expect(vault.open(value)).toBeUndefined();
  });

  it.each(["gw1E", "gw1E!!!!", "gw1EAAAA", `gw1E${"A".repeat(2_000_000)}`])("are never thrown at: %.20s", (value) => {
    expect(vault.open(value)).toEqual(unreadable);
  });

  it("are found in a body's bytes", () => {
    expect(holdsEnvelope(Buffer.from(JSON.stringify({ a: [{ signature: vault.seal(proof) }] })))).toBe(true);
    expect(holdsEnvelope(Buffer.from(JSON.stringify({ text: "about gw1E and others" })))).toBe(false);
  });
});
