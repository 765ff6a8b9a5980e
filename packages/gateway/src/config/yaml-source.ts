import { isMap, isNode, LineCounter, parseDocument } from "yaml";
import type { ConfigIssue } from "./config-error.ts";

/** A parsed YAML document that can tell where a value stands. */
export interface YamlSource {
  /** The document as plain data; undefined when it could not be read. */
  data: unknown;
  /** What is wrong with the YAML itself. */
  issues: ConfigIssue[];
  /** Where the value at the path stands; of a missing one, where its nearest parent does. */
  locate(path: readonly PropertyKey[]): { line: number; column: number } | undefined;
}

/** Reads YAML 1.2. Doubled keys, several documents and unknown tags are issues. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const position = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const issues = [...document.errors, ...document.warnings].map(
    (error): ConfigIssue => ({
      path: "",
      message: `not valid YAML: ${quiet(error.message)}`,
      ...position(error.pos[0]),
    }),
  );
  return {
    data: issues.length > 0 ? undefined : plainData(),
    issues,
    locate(path) {
      for (let length = path.length; length >= 0; length--) {
        const offset = offsetOf(path.slice(0, length));
        if (offset !== undefined) return position(offset);
      }
      return undefined;
    },
  };

  function plainData(): unknown {
    try {
      return document.toJS();
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      // The parser throws this for aliases alone, and its message repeats their names.
      issues.push({
        path: "",
        message: "not valid YAML: an alias (*name) has no anchor before it, or there are too many",
      });
      return undefined;
    }
  }

  /** Prefers the key of a mapping's entry over its value: that is the line a person looks for. */
  function offsetOf(path: readonly PropertyKey[]): number | undefined {
    const last = path.at(-1);
    const parent: unknown = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
    if (typeof last === "string" && isMap(parent)) {
      const pair = parent.items.find((item) => isNode(item.key) && String(item.key) === last);
      if (pair && isNode(pair.key)) return pair.key.range?.[0];
    }
    const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true);
    return isNode(node) ? node.range?.[0] : undefined;
  }
}

/** The parser's words without the piece of the file that some of them quote: it may be a secret. */
function quiet(message: string): string {
  return message.replace(/:? ?["'`].*$/s, "");
}
