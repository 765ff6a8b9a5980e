/*
 * What the lists of leaked passwords are made of. A password of twelve characters or more is common when nothing is in it
 * but these words, digits, signs and repetitions: `password1234`, `Welcome2024!`, `qwertyuiop12`, `monkeymonkey`.
 */
const words = `
abc abcd abcde abcdef access account adam admin administrator alex alexander america amanda andrea andrew angel angels
anthony apple asdf asdfg asdfgh asdfghjkl ashley austin autumn baby bailey banana barcelona baseball basketball batman
beautiful blink blue buster butterfly change changeme charlie cheese chelsea chicken chocolate christ computer cookie
corvette daniel default diamond dragon eagle eagles elephant enter family flower football forever freedom friend friends
gateway george ginger google guest hannah harley hello hockey house hunter iloveyou inter interlingua internet jackson
james jennifer jesus jordan joshua justin killer king lakers letmein liverpool login london love lovely loveme lover
madison maggie manager master matrix matthew maverick mercedes merlin michael michelle microsoft monday monkey mother
mustang mypass mypassword naruto nicole ninja nothing operator orange oracle pass passw0rd passphrase passwd password
pepper please pokemon princess purple qazwsx qwer qwert qwerty qwertyu qwertyuiop qwertz rainbow ranger red robert root
samsung school secret secure server shadow silver soccer spring starwars summer sunday sunshine super superman
superuser sysadmin taylor temp tennis test tester testing thomas thunder tigger trustno trustnoone user vanessa welcome
whatever william windows winter yankees yellow zaq zxcvbn zxcvbnm
`
  .trim()
  .split(/\s+/);

const spelling: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** Whether the password is one that is guessed first. `own` are texts that somebody who knows the user would try. */
export function isCommonPassword(password: string, own: readonly string[] = []): boolean {
  const text = password.toLowerCase();
  if (isRepetition(text) || isRun(text)) return true;
  // Longest first, so that `passwords` is tried before `pass`.
  const known = [...own.flatMap(partsOf), ...words].sort((one, other) => other.length - one.length);
  // As it stands, then with digits read as the letters that they are put for.
  const respelt = [...text].map((sign) => spelling[sign] ?? sign).join("");
  return [text, respelt].some((form) => withoutKnown(form, known).replace(/[\p{N}\p{P}\p{S}\s]/gu, "").length <= 2);
}

/** What stays when every known word is taken out. */
function withoutKnown(text: string, known: readonly string[]): string {
  let rest = text;
  for (const word of known) rest = rest.replaceAll(word, "");
  return rest;
}

/** `ada.lovelace@example.com`: `ada`, `lovelace`, `example`. */
function partsOf(own: string): string[] {
  return own
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part.length >= 3);
}

/** A few characters again and again: `abcabcabcabc`. */
function isRepetition(text: string): boolean {
  for (let unit = 1; unit <= 4; unit++) {
    if (
      text ===
      text
        .slice(0, unit)
        .repeat(Math.ceil(text.length / unit))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}

/** Characters one after the other: `abcdefghijkl`, `987654321098`. */
function isRun(text: string): boolean {
  const steps = new Set<number>();
  for (let place = 1; place < text.length; place++) {
    const step = text.charCodeAt(place) - text.charCodeAt(place - 1);
    // From 9 on to 0, and back.
    steps.add(step === -9 ? 1 : step === 9 ? -1 : step);
  }
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
