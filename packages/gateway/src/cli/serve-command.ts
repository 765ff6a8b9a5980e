import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Platform } from "../platform.ts";
import { errorFields } from "../telemetry/error-fields.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { commandActor } from "./command-actor.ts";
import { fileOption } from "./config-command.ts";
import type { CommandContext, CommonOptions, EndCause, ServedGateway } from "./context.ts";
import { type SetupInvitation, welcomeText } from "./first-run.ts";
import { withAccessKeys } from "./keys-command.ts";
import { withUsers } from "./users-command.ts";

/** The gateway could not start or had to stop. The message is one line for the operator; details are in the log. */
export class ServeError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ServeError";
  }
}

/** How long running calls may be settled when the process has to end at once (O4, O7). */
const hurriedMs = { secondSignal: 2000, crash: 5000 };

/** Starts the gateway, says how to use it, and serves until a signal; throws when it ends for another reason. */
export async function serve(options: CommonOptions, context: CommandContext, version: string): Promise<void> {
  const { platform } = context;
  const log = createLog({ now: platform.now, destination: { write: context.err } });
  const config = await loadConfig({ ...fileOption(options), env: context.env });
  for (const notice of config.notices) log.warn("configuration", { detail: notice });

  const gateway = await listen(config, context, log);
  // Heard from here on, so that a signal during the first start is not lost.
  let hurry: ((cause: EndCause) => void) | undefined;
  const ended = new Promise<EndCause>((resolve) => context.onEnd((cause) => (hurry ?? resolve)(cause)));

  const newKey = await firstKey(config, platform);
  const setup = await invitation(config, platform, gateway.address);
  context.out(welcomeText({ version, address: gateway.address, channels: config.channels, newKey, setup }));
  log.info("listening", { address: gateway.address, version });

  const failed = gateway.failed?.then((error): EndCause => ({ type: "crash", error }));
  const cause = await (failed ? Promise.race([ended, failed]) : ended);
  const again = new Promise<EndCause>((resolve) => {
    hurry = resolve;
  });
  await end(cause, again, gateway, config, log);
}

async function listen(config: Config, context: CommandContext, log: Log): Promise<ServedGateway> {
  try {
    return await context.start({ config, platform: context.platform, log });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const place = `${config.listen.host}:${config.listen.port}`;
    if (code === "EADDRINUSE") {
      throw new ServeError(`${place} is taken: stop what listens there, or set another "listen" in the configuration`);
    }
    if (code === "EACCES") throw new ServeError(`${place}: this user may not listen on this port`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new ServeError(`${place} is no address of this machine`);
    throw error;
  }
}

/** Makes a key where there is none at all: without one nobody could make a first call. */
async function firstKey(config: Config, platform: Platform): Promise<string | null> {
  return withAccessKeys(config, platform, async (keys) => {
    if ((await keys.list()).length > 0) return null;
    return (await keys.create({ name: "first-key" }, commandActor)).key;
  });
}

/** A new link at each start, as long as there is no operator (S18). What stands behind the # is in no server's log. */
async function invitation(config: Config, platform: Platform, address: string): Promise<SetupInvitation> {
  const base = config.console.url ?? localAddress(address);
  return withUsers(config, platform, async ({ setup }) => {
    if (!(await setup.open())) return { kind: "none" };
    if (base === undefined) return { kind: "unreachable" };
    const token = await setup.issue();
    return token === undefined ? { kind: "none" } : { kind: "link", link: `${base}/setup#token=${token}` };
  });
}

/** How this machine reaches the listener under one of its own names, or undefined where it listens elsewhere. */
function localAddress(address: string): string | undefined {
  const { hostname, port } = new URL(address);
  const host = hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "[::]" ? "[::1]" : hostname;
  return ["127.0.0.1", "[::1]", "localhost"].includes(host) ? `http://${host}:${port || "80"}` : undefined;
}

async function end(
  cause: EndCause,
  again: Promise<EndCause>,
  gateway: ServedGateway,
  config: Config,
  log: Log,
): Promise<void> {
  if (cause.type === "crash") {
    log.error("ending after an error that leaves no safe way on", errorFields(cause.error));
    await Promise.race([gateway.close({ drainMs: 0 }), delay(hurriedMs.crash, undefined, { ref: false })]);
    const reason = cause.error instanceof Error ? cause.error.message : String(cause.error);
    throw new ServeError(`The gateway had to stop: ${reason}`);
  }
  log.info("ending: running calls may finish", { signal: cause.signal, duration_ms: config.drain.timeoutMs });
  const drained = gateway.close({ drainMs: config.drain.timeoutMs }).then(() => "drained" as const);
  if ((await Promise.race([drained, again])) === "drained") {
    log.info("ended");
    return;
  }
  log.warn("ending at once");
  const cut = gateway.close({ drainMs: 0 }).then(() => "cut" as const);
  if ((await Promise.race([cut, delay(hurriedMs.secondSignal, "late" as const)])) === "late") {
    throw new ServeError("Running calls could not be settled in time; the next start does it");
  }
}
