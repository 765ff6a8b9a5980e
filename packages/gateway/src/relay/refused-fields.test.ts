import { expect, test } from "vitest";
import type { Candidate } from "../channels/route-plan.ts";
import { createRefusedFields } from "./refused-fields.ts";

const hour = 3_600_000;
// Of a channel its name is all that is looked at here.
const candidate = (upstreamModel: string, name = "a", protocol: Candidate["protocol"] = "messages") =>
  ({ channel: { name }, upstreamModel, protocol }) as Candidate;
const account = "acct_a";
const field = (path: string) => ({ path, lasting: true });

test("what an upstream refused is known for an hour, by account, channel, model and protocol", () => {
  let now = 0;
  const fields = createRefusedFields(() => now);
  fields.remember(account, candidate("m"), [field("temperature")]);
  now = hour / 2;
  fields.remember(account, candidate("m"), [field("top_k"), { path: "top_p", lasting: false }]);
  expect(fields.of(account, candidate("m"))).toEqual([field("temperature"), field("top_k")]);
  for (const other of [candidate("n"), candidate("m", "b"), candidate("m", "a", "responses")]) {
    expect(fields.of(account, other)).toEqual([]);
  }
  expect(fields.of("acct_b", candidate("m"))).toEqual([]);
  now = hour;
  expect(fields.of(account, candidate("m"))).toEqual([field("top_k")]);
  now = 2 * hour;
  expect(fields.of(account, candidate("m"))).toEqual([]);
});

test("no caller makes it grow without bound", () => {
  const fields = createRefusedFields(() => 0);
  for (let index = 0; index < 20_000; index++) fields.remember(account, candidate(`m${index}`), [field("seed")]);
  expect(fields.of(account, candidate("m0"))).toEqual([]);
  expect(fields.of(account, candidate("m19999"))).toHaveLength(1);
  for (let index = 0; index < 100; index++) fields.remember(account, candidate("m19999"), [field(`metadata.${index}`)]);
  expect(fields.of(account, candidate("m19999"))).toHaveLength(16);
});
