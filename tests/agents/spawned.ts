import { spawn } from "node:child_process";
import { join } from "node:path";
import type { Place } from "./place.ts";

/** No start of an agent takes longer. */
const limitMs = 180_000;

/** How a program ended: its status, a signal's name or why there is neither, and all that it printed. */
export interface Ended {
  code: number | string;
  printed: string;
}

/** Runs the command after the lines of shell, with nothing of this process's environment but the path. */
export async function spawned(shell: string, command: readonly string[], { home, directory }: Place): Promise<Ended> {
  const child = spawn("sh", ["-c", `${shell}\nexec "$@"`, "sh", ...command], {
    cwd: directory,
    env: {
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      HOME: home,
      TMPDIR: home,
      TERM: "dumb",
      NO_COLOR: "1",
      ...offline,
    },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  // The whole group: what the agent started ends with it.
  const end = () => {
    if (child.pid !== undefined) endGroup(child.pid);
  };
  process.on("exit", end);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, limitMs);
  const code = await new Promise<number | string>((done, failed) => {
    child.on("error", failed);
    child.on("close", (status, signal) => done(status ?? signal ?? "nothing"));
  });
  clearTimeout(timer);
  end();
  process.off("exit", end);
  return { code: late ? `nothing within ${limitMs / 1000} s` : code, printed };
}

/** Nobody is reached but this machine: everything else goes to a proxy that is not there. */
const offline = {
  HTTP_PROXY: "http://127.0.0.1:9",
  HTTPS_PROXY: "http://127.0.0.1:9",
  http_proxy: "http://127.0.0.1:9",
  https_proxy: "http://127.0.0.1:9",
  NO_PROXY: "127.0.0.1,localhost",
  no_proxy: "127.0.0.1,localhost",
};

function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // A group that is gone has ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
