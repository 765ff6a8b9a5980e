/** One place at which two documents differ. Values as short JSON. */
export interface Difference {
  /** `messages[0].content`; empty for the documents themselves. */
  path: string;
  kind: "added" | "removed" | "changed";
  before: string | undefined;
  after: string | undefined;
}

/** Where two JSON documents differ, by path, in the order of the first one. Lists are compared place by place. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const found: Difference[] = [];
  walk("", before, after, found);
  return found;
}

function walk(path: string, before: unknown, after: unknown, found: Difference[]): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index++) {
      const place = `${path}[${index}]`;
      if (index >= before.length) found.push(added(place, after[index]));
      else if (index >= after.length) found.push(removed(place, before[index]));
      else walk(place, before[index], after[index], found);
    }
    return;
  }
  if (isObject(before) && isObject(after)) {
    for (const [name, value] of Object.entries(before)) {
      const place = placeIn(path, name);
      if (Object.hasOwn(after, name)) walk(place, value, after[name], found);
      else found.push(removed(place, value));
    }
    for (const [name, value] of Object.entries(after)) {
      if (!Object.hasOwn(before, name)) found.push(added(placeIn(path, name), value));
    }
    return;
  }
  if (!Object.is(before, after)) {
    found.push({ path, kind: "changed", before: shortJson(before), after: shortJson(after) });
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function placeIn(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`;
  return path === "" ? name : `${path}.${name}`;
}

const added = (path: string, value: unknown): Difference => ({
  path,
  kind: "added",
  before: undefined,
  after: shortJson(value),
});

const removed = (path: string, value: unknown): Difference => ({
  path,
  kind: "removed",
  before: shortJson(value),
  after: undefined,
});

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "";
  return text.length > 400 ? `${text.slice(0, 400)} …` : text;
}
