import { actorOf, type NamedAuthor, writeChange } from "../accounts/change-unit.ts";
import type { Config } from "../config/config.ts";
import type { ChangeChannel } from "../coordination/change-channel.ts";
import type { Platform } from "../platform.ts";
import { type Database, expecting, type Statement, StorageError } from "../storage/database.ts";
import type { Log } from "../telemetry/log.ts";
import { type LiveConfig, type SettingDefinition, type SettingValue, settingList } from "./setting-list.ts";

/** Why a setting cannot be changed. The message is one line for whoever asked; `setting` is its name. */
export class SettingError extends Error {
  readonly code: "unknown" | "invalid" | "declared" | "conflict";
  readonly setting: string;

  constructor(code: SettingError["code"], setting: string, message: string) {
    super(message);
    this.name = "SettingError";
    this.code = code;
    this.setting = setting;
  }
}

/** Who decides a value: the configuration file, the console, or nobody, so that the default holds. */
type SettingOrigin = "file" | "console" | "default";

/** A setting with its value, as the file spells it. */
export interface SettingInfo {
  definition: SettingDefinition;
  value: SettingValue;
  /** What holds where neither the file nor the console says anything. */
  standard: SettingValue;
  origin: SettingOrigin;
  /** Unix milliseconds of the last change in the console; null where there is none. */
  updatedAt: number | null;
}

/** What may be changed while the gateway runs. A snapshot never changes: another value is another snapshot. */
export interface Settings {
  /** What holds now. Whoever takes it for a call keeps it for the call. */
  current(): LiveConfig;
  /** Reads through to what holds at the moment of each look. */
  readonly live: LiveConfig;
  /** All settings, in the order in which they are shown. */
  list(): SettingInfo[];
  /**
   * Sets values, spelt as in the file; null takes the console's value back. All or none take effect, on every gateway within
   * a second. Rejects with a SettingError.
   */
  change(values: Readonly<Record<string, unknown>>, author: NamedAuthor): Promise<void>;
  /** Reads the stored values again. Rejects with a StorageError. */
  reload(): Promise<void>;
  /** Tells after each reload that changed something. */
  onChanged(listener: () => void): void;
}

export interface SettingsOptions {
  database: Database;
  config: LiveConfig & Pick<Config, "named">;
  platform: Platform;
  log: Pick<Log, "warn">;
  hint?: Pick<ChangeChannel, "publish">;
}

interface Stored {
  value: SettingValue;
  version: number;
  updatedAt: number;
}

/** The settings over the database; what the file names goes before what is stored. */
export async function createSettings(options: SettingsOptions): Promise<Settings> {
  const { database, config, platform, log } = options;
  const { build } = database;
  const listeners: (() => void)[] = [];
  let stored: ReadonlyMap<string, Stored> = new Map();
  let current: LiveConfig = sectionsOf(config);

  const declared = (name: string) => config.named.some((path) => path === name || name.startsWith(`${path}.`));

  const read = async () => {
    const rows = await database.read.selectFrom("setting").selectAll().execute();
    const found = new Map<string, Stored>();
    let next = sectionsOf(config);
    for (const definition of settingList) {
      const row = rows.find(({ name }) => name === definition.name);
      if (!row) continue;
      const parsed = definition.schema.safeParse(jsonOf(row.value));
      if (!parsed.success) {
        // A version with other bounds wrote it: what held before goes on (O2).
        log.warn("a stored setting is out of its bounds and was left out", { detail: definition.name });
        continue;
      }
      if (!declared(definition.name)) next = definition.apply(next, parsed.data);
      const value = definition.show(definition.apply(next, parsed.data));
      found.set(definition.name, { value, version: row.version, updatedAt: row.updated_at });
    }
    const changed = JSON.stringify([...found]) !== JSON.stringify([...stored]);
    stored = found;
    if (!changed) return;
    current = next;
    for (const listener of listeners) listener();
  };
  // One after the other: of two at once the one that read first could end last.
  let last: Promise<void> = Promise.resolve();
  const reload = (): Promise<void> => {
    last = last.then(read, read);
    return last;
  };
  await reload();

  const infoOf = (definition: SettingDefinition): SettingInfo => {
    const own = stored.get(definition.name);
    const standard = definition.show(definition.apply(current, definition.schema.parse(undefined)));
    const origin = declared(definition.name) ? "file" : own ? "console" : "default";
    const updatedAt = origin === "console" ? (own?.updatedAt ?? null) : null;
    return { definition, value: definition.show(current), standard, origin, updatedAt };
  };

  /** The statement that changes one setting, and how its value is spelt then. */
  const changeOf = (
    name: string,
    given: unknown,
    who: string,
  ): { statement: Statement; after: SettingValue | null } => {
    const definition = settingList.find((each) => each.name === name);
    if (!definition) throw new SettingError("unknown", name, `There is no setting "${name}" that can be changed here`);
    if (declared(name)) {
      throw new SettingError("declared", name, `The configuration file sets "${name}": change it there`);
    }
    const version = stored.get(name)?.version ?? 0;
    if (given === null) {
      const remove = build.deleteFrom("setting").where("name", "=", name).where("version", "=", version);
      return { statement: version === 0 ? remove.compile() : expecting(1, remove.compile()), after: null };
    }
    const parsed = definition.schema.safeParse(given);
    if (given === undefined || !parsed.success) {
      throw new SettingError("invalid", name, `"${name}" ${parsed.error?.issues[0]?.message ?? "is missing"}`);
    }
    const value = definition.show(definition.apply(current, parsed.data));
    const row = { value: JSON.stringify(value), updated_at: platform.now(), updated_by: who };
    const write = build
      .insertInto("setting")
      .values({ name, version: version + 1, ...row })
      .onConflict((conflict) =>
        conflict
          .column("name")
          .doUpdateSet({ ...row, version: version + 1 })
          .where("setting.version", "=", version),
      );
    return { statement: expecting(1, write.compile()), after: value };
  };

  return {
    current: () => current,
    live: liveOver(() => current),
    list: () => settingList.map(infoOf),
    async change(values, author) {
      await reload();
      const { name: who } = actorOf(author);
      const detail: Record<string, SettingValue | null> = {};
      const statements: Statement[] = [];
      for (const [name, given] of Object.entries(values)) {
        const { statement, after } = changeOf(name, given, who);
        const before = stored.get(name)?.value ?? null;
        if (before === after) continue;
        detail[`${name}_before`] = before;
        detail[`${name}_after`] = after;
        statements.push(statement);
      }
      const event = { actor: author, action: "settings.changed", target: null, accountId: null, detail };
      try {
        await writeChange(options, statements, [{ entity: "setting", id: "all" }], event);
      } catch (error) {
        if (!(error instanceof StorageError) || error.kind !== "condition") throw error;
        const [name = ""] = Object.keys(values);
        throw new SettingError("conflict", name, "Somebody else changed these settings at the same moment: look again");
      }
      await reload();
    },
    reload,
    onChanged(listener) {
      listeners.push(listener);
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No setting's schema takes it.
    return null;
  }
}

function sectionsOf(config: LiveConfig): LiveConfig {
  const { server, limits, upstream, record, billing, calls, contentLogging, storedResponses, signIn, console } = config;
  return { server, limits, upstream, record, billing, calls, contentLogging, storedResponses, signIn, console };
}

function liveOver(current: () => LiveConfig): LiveConfig {
  return {
    get server() {
      return current().server;
    },
    get limits() {
      return current().limits;
    },
    get upstream() {
      return current().upstream;
    },
    get record() {
      return current().record;
    },
    get billing() {
      return current().billing;
    },
    get calls() {
      return current().calls;
    },
    get contentLogging() {
      return current().contentLogging;
    },
    get storedResponses() {
      return current().storedResponses;
    },
    get signIn() {
      return current().signIn;
    },
    get console() {
      return current().console;
    },
  };
}
