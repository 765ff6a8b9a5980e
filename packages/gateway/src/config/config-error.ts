/** One thing that is wrong with the configuration. */
export interface ConfigIssue {
  /** Where in the document, as a person writes it: `channels[0].base_url`. Empty for the document as a whole. */
  path: string;
  /** One sentence that says what is wrong and what would be right. Never holds a value that may be secret. */
  message: string;
  /** Counted from 1; absent where the issue has no place in a file. */
  line?: number;
  column?: number;
}

/** Everything that is wrong with a configuration, at once. */
export class ConfigError extends Error {
  readonly file: string | null;
  readonly issues: readonly ConfigIssue[];

  constructor(file: string | null, issues: readonly ConfigIssue[]) {
    super(issues.map((issue) => describeIssue(file, issue)).join("\n"));
    this.name = "ConfigError";
    this.file = file;
    this.issues = issues;
  }
}

/** One line: `interlingua.yaml:7:5: channels[0].base_url: must be an address`. */
function describeIssue(file: string | null, issue: ConfigIssue): string {
  const place = [file ?? "configuration", issue.line, issue.column].filter((part) => part !== undefined).join(":");
  return issue.path === "" ? `${place}: ${issue.message}` : `${place}: ${issue.path}: ${issue.message}`;
}

/** `["channels", 0, "base_url"]` as `channels[0].base_url`. */
export function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else text += text === "" ? String(step) : `.${String(step)}`;
  }
  return text;
}
