import fc from "fast-check";
import { expect, test } from "vitest";
import { redactContent } from "./redact-content.ts";

test.each([
  ["our own keys", "ilk_0123456789abcdef_ABCDEFGHIJKLMNOP", "[credential]"],
  ["keys of OpenAI and Anthropic", "sk-proj-abcDEF123456_7890", "[credential]"],
  ["keys of Anthropic", "sk-ant-api03-abcDEF123456", "[credential]"],
  ["keys of Google", "AIzaSyA-1234567890abcdefghij_KLMNO", "[credential]"],
  ["bearer tokens", "Authorization: Bearer eyJhbGciOi.J9_x-y/z+==", "Authorization: [credential]"],
  ["keys of AWS", "AKIAIOSFODNN7EXAMPLE", "[credential]"],
  ["tokens of code hosts", "ghp_0123456789abcdefghijABCDEFGHIJ", "[credential]"],
  ["e-mail addresses", "write to ada.l+x@mail.example.co.uk, please", "write to [e-mail], please"],
  ["escaped e-mail addresses", "?to=ada%40example.org&x ada\\u0040example.org", "?to=[e-mail]&x [e-mail]"],
  ["addresses beyond ASCII", "jürgen@müller.de", "[e-mail]"],
  ["several addresses", "a@b.io;c@d.io,e@f.io", "[e-mail];[e-mail],[e-mail]"],
  ["card numbers", "4111 1111 1111 1111", "[card number]"],
  ["card numbers without groups", "4111111111111111", "[card number]"],
  ["cards of fifteen digits", "3782-822463-10005", "[card number]"],
  ["a card number behind another group", "in 2024 4111-1111-1111-1111.", "in 2024 [card number]."],
  ["phone numbers with a country", "+49 (0)30 1234-5678", "[phone number]"],
  ["phone numbers of North America", "(212) 555-0147 or 212-555-0147", "[phone number] or [phone number]"],
  ["phone numbers with an area code", "030/12345678", "[phone number]"],
])("S2 %s are taken out", (_what, text, safe) => {
  expect(redactContent(text)).toBe(safe);
});

test("S2 what stands behind an escaped line feed of a JSON text is seen, and the text stays JSON", () => {
  const secrets = [
    "sk-abcdefghijklmnop",
    "ada@example.org",
    "4111 1111 1111 1111",
    "+4930123456789",
    "ilk_abcdefgh12345678",
  ];
  for (const secret of secrets) {
    for (const before of ["\n", "\t", "\r\n", " ", "(", ""]) {
      const body = JSON.stringify({ content: `${before}${secret}\nnext` });
      const safe = redactContent(body);
      expect(safe).not.toContain(secret);
      expect(JSON.parse(safe).content).toMatch(/\[(credential|e-mail|card number|phone number)\]\nnext$/);
    }
  }
});

test.each([
  "created: 1767225600, at 1767225600123",
  "id: 1234567890123456",
  "2026-11-21T06:33:03.123Z 0.4111111111111111",
  "550e8400-e29b-41d4-a716-446655440000",
  "resp_68af4030592c81938ec0a5fbab4a3e9f05438e46b5f69a3b",
  "task-force and risk-assessments, npm install pkg@1.2.3, @decorator, a @ b",
  "127.0.0.1:8080 192.168.10.20",
])("what is no secret stays: %s", (text) => {
  expect(redactContent(text)).toBe(text);
});

test("S2 a secret is taken out wherever it stands among other words", () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab 1,.\n"{}:@'), maxLength: 30 });
  fc.assert(
    fc.property(word, word, (before, after) => {
      const text = JSON.stringify(`${before} sk-abcdefghijklmnop `) + JSON.stringify(` ${after}`);
      expect(redactContent(text)).not.toContain("sk-abcdefghijklmnop");
    }),
  );
});

test("S12 a text made to be searched long is searched once: quadratic work over 1 MiB would not end within the test", () => {
  const size = 1_048_576;
  const parts = [
    "a",
    "@",
    "a@",
    "a.",
    "@a.",
    "1",
    "4 ",
    "4111 1111 1111 111",
    "+1 ",
    "Bearer ",
    "sk-",
    "\\u0040",
    "(212) ",
    "\\n",
  ];
  for (const part of parts) {
    const text = part.repeat(Math.ceil(size / part.length));
    expect(redactContent(text).length).toBeGreaterThan(0);
  }
});
