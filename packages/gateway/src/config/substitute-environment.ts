/** The process environment or a stand-in. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface SubstitutionIssue {
  path: (string | number)[];
  message: string;
}

/**
 * Replaces `${NAME}` in every text of a parsed document. `$${` stands for a plain `${`. A name that is not set, or set to
 * nothing, is an issue: an empty credential would only fail later and elsewhere.
 */
export function substituteEnvironment(
  value: unknown,
  env: Environment,
  issues: SubstitutionIssue[],
  path: (string | number)[] = [],
): unknown {
  if (typeof value === "string") return substituteText(value, env, (message) => issues.push({ path, message }));
  if (Array.isArray(value))
    return value.map((item, index) => substituteEnvironment(item, env, issues, [...path, index]));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    substituteEnvironment(item, env, issues, [...path, key]),
  ]);
  return Object.fromEntries(entries);
}

function substituteText(text: string, env: Environment, refuse: (message: string) => void): string {
  return text.replace(/\$(\$)?\{([^{}]*)\}/g, (whole, escaped: string | undefined, name: string) => {
    if (escaped !== undefined) return whole.slice(1);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      refuse(`"${whole}" does not name an environment variable`);
      return whole;
    }
    const found = env[name];
    if (found !== undefined && found !== "") return found;
    refuse(`the environment variable ${name} is not set`);
    return whole;
  });
}
