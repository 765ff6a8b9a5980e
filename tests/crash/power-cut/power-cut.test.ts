import { expect, it } from "vitest";
import { powerCutImpossible, runPowerCuts } from "./power-cut.ts";

/* A small slice of the long run (tests/crash/run.ts --power-cut). */

const impossible = await powerCutImpossible();
const when = impossible === undefined ? it : it.skip;
const note = impossible === undefined ? "" : ` (skipped: ${impossible})`;
const options = { cuts: 40, seed: 20_261_121, clients: 20, loadMs: 2500 };

when(
  `M4 a power cut loses no call that was acknowledged, and damages no file${note}`,
  async () => {
    const report = await runPowerCuts(options);
    expect(report.failures).toEqual([]);
    expect(report.looked).toBeGreaterThan(100);
    expect(report.cutsWithUnsynced).toBeGreaterThan(10);
  },
  120_000,
);

when(
  `M4 this test sees a commit that was not synced${note}`,
  async () => {
    const report = await runPowerCuts({ ...options, ignoreSyncs: true });
    expect(report.failures).not.toEqual([]);
  },
  120_000,
);
