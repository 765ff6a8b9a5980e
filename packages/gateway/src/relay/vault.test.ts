import { randomFillSync } from "node:crypto";
import type { Proof } from "@interlingua/protocols";
import { describe, expect, it } from "vitest";
import { createVaults, holdsEnvelope } from "./vault.ts";

const secret = new Uint8Array(32).fill(7);
const other = new Uint8Array(32).fill(8);
const randomBytes = (size: number) => randomFillSync(new Uint8Array(size));
const vaultOf = (account: string, ...secrets: Uint8Array[]) => createVaults({ secrets, randomBytes }).of(account);
const vault = vaultOf("acc_a", secret);
const proof: Proof = { family: "anthropic", kind: "signature", value: "s".repeat(5000), model: "m", itemId: "rs_1" };

/** L21: absent for every encoder, and never taken for the client's own. */
const unreadable = expect.objectContaining({ family: "unreadable", value: "" });

describe("proofs in envelopes (conversion.md 2.5)", () => {
  it("come back as they were, in characters that fit every protocol", () => {
    const sealed = vault.seal(proof);
    expect(sealed).toMatch(/^gw2E[A-Za-z0-9+/]+=*$/);
    expect(vault.open(sealed)).toEqual(proof);
  });

  it("survive a client that keeps proofs as bytes", () => {
    const sealed = vault.seal(proof);
    expect(Buffer.from(sealed, "base64").toString("base64")).toBe(sealed);
  });

  it("look different each time", () => {
    expect(vault.seal(proof)).not.toBe(vault.seal(proof));
  });

  it("do not open for another account or another installation", () => {
    const sealed = vault.seal(proof);
    expect(vaultOf("acc_b", secret).open(sealed)).toEqual(unreadable);
    expect(vaultOf("acc_a", other).open(sealed)).toEqual(unreadable);
  });

  it("open after the secret was changed as long as the former one is known, and are sealed under the new one", () => {
    const before = vault.seal(proof);
    const rotated = vaultOf("acc_a", other, secret);
    expect(rotated.open(before)).toEqual(proof);
    const after = rotated.seal(proof);
    expect(vaultOf("acc_a", other).open(after)).toEqual(proof);
    expect(vault.open(after)).toEqual(unreadable);
    expect(vaultOf("acc_b", other, secret).open(before)).toEqual(unreadable);
  });

  it("do not open when a single bit was changed, those of the key's name among them", () => {
    const sealed = vault.seal({ family: "gemini", kind: "encrypted", value: "v" });
    const bytes = Buffer.from(sealed.slice(4), "base64");
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(vault.open(`gw2E${changed.toString("base64")}`)).toEqual(unreadable);
    }
  });

  it.each(["", "gw2", "plain", "gw0x"])("are not seen in another value: %s", (value) => {
    expect(vault.open(value)).toBeUndefined();
  });

  const broken = ["gw2E", "gw2E!!!!!!!!", "gw2EAAAAAAAA"];
  it.each([...broken, ...broken.map((value) => value + "A".repeat(2_000_000))])(
    "are never thrown at: %.20s",
    (value) => {
      expect(vault.open(value)).toEqual(unreadable);
    },
  );

  it("are found in a body's bytes", () => {
    const body = { a: ["gw", { signature: vault.seal(proof) }] };
    expect(holdsEnvelope(Buffer.from(JSON.stringify(body)))).toBe(true);
    expect(holdsEnvelope(Buffer.from(JSON.stringify({ text: "about gw2E and others", more: ["gw", "gw2"] })))).toBe(
      false,
    );
  });
});
