import { describe, expect, it } from "vitest";
import { addSamples, availabilityOf, overallState, shownState, stateOf } from "./availability.ts";

const sample = (attempts: number, faults: number, slow = 0) => ({ attempts, faults, slow });

describe("the state that calls tell", () => {
  it.each([
    [sample(0, 0), "unknown"],
    [sample(1, 0), "operational"],
    [sample(1000, 99), "operational"],
    [sample(1000, 100), "degraded"],
    [sample(1000, 499), "degraded"],
    [sample(1000, 500), "down"],
    [sample(5, 5), "down"],
  ])("%o is %s", (given, state) => {
    expect(stateOf(given)).toBe(state);
  });

  it("few attempts never say down, however they ended", () => {
    for (let attempts = 1; attempts < 5; attempts += 1) {
      for (let faults = 0; faults <= attempts; faults += 1) {
        expect(stateOf(sample(attempts, faults)), `${faults} of ${attempts}`).not.toBe("down");
      }
    }
    expect(stateOf(sample(4, 4))).toBe("degraded");
  });

  it("a single fault says nothing", () => {
    expect(stateOf(sample(1, 1))).toBe("operational");
    expect(stateOf(sample(2, 1))).toBe("operational");
    expect(stateOf(sample(2, 2))).toBe("degraded");
  });

  it("slow answers degrade, and never more than that", () => {
    expect(stateOf(sample(100, 0, 29))).toBe("operational");
    expect(stateOf(sample(100, 0, 30))).toBe("degraded");
    expect(stateOf(sample(100, 0, 100))).toBe("degraded");
    expect(stateOf(sample(2, 0, 1))).toBe("operational");
  });

  it("what the operator has set is shown, but trouble goes before observation", () => {
    expect(shownState("disabled", "operational")).toBe("disabled");
    expect(shownState("under_observation", "operational")).toBe("under_observation");
    expect(shownState("under_observation", "unknown")).toBe("under_observation");
    expect(shownState("under_observation", "down")).toBe("down");
    expect(shownState("operational", "degraded")).toBe("degraded");
  });
});

describe("the percentage", () => {
  it("is never rounded up to 100", () => {
    expect(availabilityOf(sample(1_000_000, 1))).toBe(99.9);
    expect(availabilityOf(sample(1000, 0))).toBe(100);
    expect(availabilityOf(sample(20, 20))).toBe(0);
  });

  it("is not told of so few calls that it would tell their number", () => {
    expect(availabilityOf(sample(19, 1))).toBeNull();
    expect(availabilityOf(sample(0, 0), 0)).toBeNull();
  });
});

it("samples add up", () => {
  expect(addSamples([sample(3, 1, 2), sample(4, 2, 1)])).toEqual(sample(7, 3, 3));
});

describe("the service as a whole", () => {
  it.each([
    [[], "unknown"],
    [["unknown", "disabled"], "unknown"],
    [["unknown", "operational", "under_observation"], "operational"],
    [["operational", "degraded"], "degraded"],
    [["operational", "down"], "partly_down"],
    [["down", "unknown", "down"], "down"],
  ] as const)("%o is %s", (states, overall) => {
    expect(overallState(states)).toBe(overall);
  });
});
