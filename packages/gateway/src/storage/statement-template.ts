import type { RawBuilder } from "kysely";
import type { Database, Statement } from "./database.ts";

/** Stands in a template for a value that each use binds. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is written once and bound often: writing it costs more than binding it. `write` gets a stand-in for
 * each name and puts them where the values belong.
 *
 * @example
 * const rename = statementTemplate(database, ["id", "name"], ({ id, name }) =>
 *   sql`update access_key set name = ${name} where id = ${id}`);
 * await database.write([rename({ id: "key_1", name: "ci" })]);
 */
export function statementTemplate<const Name extends string>(
  database: Pick<Database, "compile">,
  names: readonly Name[],
  write: (slots: Record<Name, unknown>) => RawBuilder<unknown>,
): (values: Record<Name, unknown>, expect?: number) => Statement {
  // Every name has its slot, which is what the record says.
  const slots = Object.fromEntries(names.map((name) => [name, new Slot(name)])) as Record<Name, unknown>;
  const { sql, parameters } = database.compile(write(slots));
  return (values, expect) => {
    // A slot's name is one of `names`: no other is made.
    const bound = parameters.map((value) => (value instanceof Slot ? values[value.name as Name] : value));
    return expect === undefined ? { sql, parameters: bound } : { sql, parameters: bound, expect };
  };
}
