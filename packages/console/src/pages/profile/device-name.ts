const browsers = [
  ["Edge", /Edg(?:e|A|iOS)?\//],
  ["Opera", /OPR\//],
  ["Firefox", /Firefox\/|FxiOS\//],
  ["Chrome", /Chrome\/|CriOS\//],
  ["Safari", /Safari\//],
] as const;

const systems = [
  ["Android", /Android/],
  ["iPhone", /iPhone/],
  ["iPad", /iPad/],
  ["ChromeOS", /CrOS/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux/],
] as const;

/** What a `user-agent` header tells to a person; undefined where it tells nothing that is known. */
export function deviceName(userAgent: string | null): { browser: string; system: string } | undefined {
  if (userAgent === null) return undefined;
  const browser = browsers.find(([, form]) => form.test(userAgent))?.[0];
  const system = systems.find(([, form]) => form.test(userAgent))?.[0];
  return browser === undefined || system === undefined ? undefined : { browser, system };
}
