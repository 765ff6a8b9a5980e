import { expect, test } from "vitest";
import { loadConfig } from "./load-config.ts";
import { showConfig } from "./show-config.ts";

const load = (text: string) => loadConfig({ file: "f", env: {}, fileSystem: { read: async () => text } });

const provider = "id: work, issuer: 'https://login.example.com/', client_id: interlingua";

test("a provider is read with its defaults, and the console's address as an origin", async () => {
  const config = await load(`
console: { url: "https://gateway.example.com:8443/" }
sign_in: { oidc: [{ ${provider} }] }
`);
  expect(config.console).toEqual({ url: "https://gateway.example.com:8443", notice: "" });
  expect(config.signIn.oidc).toEqual([
    {
      id: "work",
      name: "work",
      issuer: "https://login.example.com",
      clientId: "interlingua",
      scopes: ["openid", "email", "profile"],
      trustEmail: false,
    },
  ]);
  expect((await load("")).console).toEqual({ url: null, notice: "" });
});

test("S1 the secret of a client is masked where the configuration is shown, and the rest loads again", async () => {
  const config = await load(`
console: { url: "https://gateway.example.com" }
sign_in: { oidc: [{ ${provider}, client_secret: secret-of-the-client, trust_email: true }] }
`);
  const shown = showConfig(config);
  expect(shown).not.toContain("secret-of-the-client");
  const back = await load(shown);
  expect(back.signIn.oidc).toEqual([{ ...config.signIn.oidc[0], clientSecret: "***" }]);
  expect(back.console).toEqual(config.console);
});

test.each([
  ["console: { url: 'http://gateway.example.com' }", "must begin with https://"],
  ["console: { url: 'https://gateway.example.com/console' }", "must not hold a path"],
  ["console: { url: 'https://ada:secret@gateway.example.com' }", "must not hold a user"],
  ["console: { url: gateway }", "must be an address"],
  [`sign_in: { oidc: [{ ${provider} }, { ${provider} }] }`, "names a provider twice"],
  ["sign_in: { oidc: [{ id: Work, issuer: 'https://a.example', client_id: x }] }", "small letters"],
  ["sign_in: { oidc: [{ id: work, issuer: 'http://a.example', client_id: x }] }", "must begin with https://"],
  ["sign_in: { oidc: [{ id: work, client_id: x }] }", "issuer"],
  ["sign_in: { registration: open }", "registration"],
])("S18 %s is refused", async (text, why) => {
  await expect(load(text)).rejects.toThrow(why);
});

test("S18 an address of this machine may do without TLS", async () => {
  expect((await load("console: { url: 'http://localhost:9000' }")).console.url).toBe("http://localhost:9000");
});
