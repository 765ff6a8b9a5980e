import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { apiTypes } from "../../packages/console/scripts/api-types.ts";

test("the console's types are those of the API as it is (else: npm run api-types)", async () => {
  const committed = readFileSync(new URL("../../packages/console/src/api/schema.d.ts", import.meta.url), "utf8");
  expect(committed === (await apiTypes())).toBe(true);
});
