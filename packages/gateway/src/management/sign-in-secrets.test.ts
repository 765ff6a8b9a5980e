import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { expect, test } from "vitest";
import { signInSecrets } from "./sign-in.ts";

const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

/** As the sign-in library sees its secrets. */
function keyOf(secrets: { version: number; value: string }[]) {
  const currentVersion = secrets[0]?.version ?? 0;
  return { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion };
}

test("a second factor that was sealed under a former secret is read after a change of the secret", async () => {
  const before = signInSecrets({ bytes: first });
  const sealed = await symmetricEncrypt({ key: keyOf(before), data: "totp" });
  const after = keyOf(signInSecrets({ bytes: second, former: [first] }));
  expect(await symmetricDecrypt({ key: after, data: sealed })).toBe("totp");
  expect(await symmetricDecrypt({ key: after, data: await symmetricEncrypt({ key: after, data: "new" }) })).toBe("new");
});

test("what was sealed when there was one secret for ever, version 1, is read still", async () => {
  const [{ value } = { value: "" }] = signInSecrets({ bytes: first });
  const sealed = await symmetricEncrypt({ key: keyOf([{ version: 1, value }]), data: "totp" });
  for (const secret of [{ bytes: first }, { bytes: second, former: [first] }]) {
    expect(await symmetricDecrypt({ key: keyOf(signInSecrets(secret)), data: sealed })).toBe("totp");
  }
});
