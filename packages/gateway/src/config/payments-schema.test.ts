import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { loadConfig } from "./load-config.ts";
import { showConfig } from "./show-config.ts";

const secret = "whsec_0123456789abcdef";

function load(text: string) {
  return loadConfig({
    file: "interlingua.yaml",
    env: { STRIPE_WEBHOOK_SECRET: secret },
    fileSystem: { read: async () => text },
  });
}

test("M13 a provider is there by its own name alone, its secret from the environment and shown to nobody", async () => {
  expect((await load("sandbox: true")).payments).toEqual({ providers: [] });
  const config = await load(`
sandbox: true
payments:
  providers:
    stripe: { scheme: stripe, secret: "\${STRIPE_WEBHOOK_SECRET}" }
    shop: { scheme: hmac, secret: "0123456789abcdef", tolerance: 1m }
`);
  expect(config.payments.providers).toEqual([
    { name: "stripe", scheme: "stripe", secret, toleranceMs: 300_000 },
    { name: "shop", scheme: "hmac", secret: "0123456789abcdef", toleranceMs: 60_000 },
  ]);
  const shown = showConfig(config);
  expect(shown).toMatch(/stripe:\s+scheme: stripe\s+secret: "?\*\*\*"?\s+tolerance: 5m/);
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain("0123456789abcdef");
});

test("M13 a provider without a secret, or with one that can be guessed, ends the start", async () => {
  for (const provider of [
    "{ scheme: stripe }",
    "{ scheme: stripe, secret: short }",
    "{ scheme: other, secret: 0123456789abcdef }",
    "{ scheme: hmac, secret: 0123456789abcdef, tolerance: 2h }",
  ]) {
    await expect(load(`payments: { providers: { shop: ${provider} } }`)).rejects.toBeInstanceOf(ConfigError);
  }
  await expect(
    load(`payments: { providers: { "../shop": { scheme: hmac, secret: 0123456789abcdef } } }`),
  ).rejects.toBeInstanceOf(ConfigError);
});
