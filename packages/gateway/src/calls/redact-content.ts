/*
 * Takes out of texts what must not be kept even where content is: credentials, e-mail addresses, card and phone numbers.
 * A second line of defence behind encryption, by form alone: a name or a home address stays, and so does what a stream sends
 * in two deltas. All of it is linear in the text (S12).
 */

/**
 * Before a word, also in a JSON text, where the line feed before a word is spelt by a backslash and an `n`.
 */
const start = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))`;

/** Our own keys and the usual forms of providers and of code hosts. */
const credentials = new RegExp(
  start +
    String.raw`(?:ilk_\w{8,}|(?:sk|xai|pk|rk)-[\w-]{12,}|gsk_\w{12,}|AIza[\w-]{20,}|AKIA[A-Z0-9]{16}|gh[pousr]_\w{20,}|github_pat_\w{20,}|Bearer(?:[ +]|%20|\\t){1,4}[\w.~+/=-]{8,})`,
  "gi",
);

/** Thirteen to nineteen digits, alone or in groups. */
const cardForm = new RegExp(String.raw`${start}(?<!\d\.)[2-6]\d{3}(?:[ -]?\d){9,15}(?!\w)`, "g");

/** With a plus and a country, or in the groups of North America, or with an area code before a slash. */
const phones = new RegExp(
  start +
    String.raw`(?:\+\d{1,3}(?:[ .()-]{0,2}\d){6,13}|\(\d{3}\) ?\d{3}[ .-]\d{4}|\d{3}[ .-]\d{3}[ .-]\d{4}|0\d{2,4} ?/ ?\d{4,9})(?![\w-])`,
  "g",
);

/** The text with `[credential]`, `[e-mail]`, `[card number]` and `[phone number]` in the place of what looks like one. */
export function redactContent(text: string): string {
  const safe = withoutCards(withoutEmails(text.replace(credentials, "[credential]")));
  return safe.replace(phones, "[phone number]");
}

const at = /@|%40|\\u0040/g;
const localCharacter = /[\p{L}\p{N}._%+-]/u;
const domain = /[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,24}/uy;

function withoutEmails(text: string): string {
  let safe = "";
  let done = 0;
  for (const { 0: sign, index } of text.matchAll(at)) {
    if (index < done) continue;
    let begin = index;
    while (
      begin > done &&
      index - begin < 64 &&
      localCharacter.test(text.charAt(begin - 1)) &&
      !isEscape(text, begin - 1)
    ) {
      begin -= 1;
    }
    domain.lastIndex = index + sign.length;
    const match = begin < index ? domain.exec(text) : null;
    if (!match) continue;
    safe += `${text.slice(done, begin)}[e-mail]`;
    done = domain.lastIndex;
  }
  return safe + text.slice(done);
}

/** Whether the letter is the second half of an escape such as the one of a line feed. */
function isEscape(text: string, place: number): boolean {
  return text.charAt(place - 1) === "\\" && /[nrtbf]/.test(text.charAt(place));
}

function withoutCards(text: string): string {
  let safe = "";
  let done = 0;
  cardForm.lastIndex = 0;
  for (let match = cardForm.exec(text); match; match = cardForm.exec(text)) {
    if (!isCard(match[0])) {
      // Groups before it may have been taken for its own.
      cardForm.lastIndex = match.index + 1;
      continue;
    }
    safe += `${text.slice(done, match.index)}[card number]`;
    done = cardForm.lastIndex;
  }
  return safe + text.slice(done);
}

/** By the check digit of ISO/IEC 7812 (Luhn). */
function isCard(text: string): boolean {
  let sum = 0;
  for (const [place, digit] of [...text.replaceAll(/[ -]/g, "")].reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
