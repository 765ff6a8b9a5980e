import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

/* Beside a run: tells of work that does not end, and ends the process, whose main thread can do neither any more. */

const standardError = 2;
let running = "nothing";
const due = setTimeout(() => {
  writeSync(standardError, `HANGS: ${running}\n`);
  process.kill(process.pid, "SIGKILL");
}, workerData.hangMs);
parentPort?.on("message", (task: string) => {
  running = task;
  due.refresh();
});
