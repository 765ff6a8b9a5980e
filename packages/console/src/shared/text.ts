import i18next from "i18next";
import { useCallback } from "react";
import { initReactI18next, useTranslation } from "react-i18next";

const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** Keys as they are asked for: those of plurals without their ending. */
type TextKey<Texts> = keyof Texts extends infer Key
  ? Key extends `${infer Stem}_one` | `${infer Stem}_other`
    ? Stem
    : Key
  : never;

/** The same keys in Chinese, which has no singular of its own. */
type Translation<Texts> = { readonly [Key in keyof Texts as Key extends `${string}_one` ? never : Key]: string };

/** The texts of one page or part, in all languages. */
export interface Catalogue<Texts> {
  name: string;
  /** Carries the type alone. */
  texts: Texts;
}

/**
 * Makes texts known under a name. Values stand as `{{name}}`; a key with the endings `_one` and `_other` is chosen by `count`.
 * Called where a page's chunk is loaded, so that a page brings its own texts.
 */
export function defineCatalogue<const Texts extends Readonly<Record<string, string>>>(
  name: string,
  texts: { en: Texts; zh: Translation<Texts> },
): Catalogue<Texts> {
  startTexts();
  for (const language of languages) i18next.addResourceBundle(language, name, texts[language], true, true);
  return { name, texts: texts.en };
}

type TextValues = Readonly<Record<string, string | number>>;

/** The texts of a catalogue in the language of the reader. */
export type Say<Texts> = (key: TextKey<Texts> & string, values?: TextValues) => string;

/** The library's function without its own key types: `Say` has ours, and the catalogues hold nothing but texts. */
function plain(t: unknown): (key: string, values: Record<string, string | number>) => string {
  return t as (key: string, values: Record<string, string | number>) => string;
}

/** For components; follows a change of the language. */
export function useText<Texts>(catalogue: Catalogue<Texts>): Say<Texts> {
  const { t } = useTranslation(catalogue.name);
  return useCallback((key, values) => plain(t)(key, { ...values }), [t]);
}

/** Outside of components. */
export function say<Texts>(catalogue: Catalogue<Texts>): Say<Texts> {
  return (key, values) => plain(i18next.t)(key, { ns: catalogue.name, ...values });
}

export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language === "zh" ? "zh" : "en";
}

const stored = "interlingua.language";

/** The language that was chosen last, or that the browser asks for first among ours. */
function firstLanguage(): Language {
  const wanted = [localStorage.getItem(stored), ...navigator.languages];
  for (const one of wanted) {
    const found = languages.find((language) => one?.toLowerCase().startsWith(language));
    if (found) return found;
  }
  return "en";
}

export function setLanguage(language: Language): void {
  localStorage.setItem(stored, language);
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
  void i18next.changeLanguage(language);
}

/** Done with the first catalogue, whichever chunk brings it; more calls change nothing. */
export function startTexts(): void {
  if (i18next.isInitialized) return;
  const lng = firstLanguage();
  document.documentElement.lang = lng === "zh" ? "zh-CN" : "en";
  void i18next.use(initReactI18next).init({
    lng,
    fallbackLng: "en",
    resources: {},
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    initAsync: false,
    returnNull: false,
  });
}
