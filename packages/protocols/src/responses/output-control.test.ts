import { describe, expect, test } from "vitest";
import { encode } from "../testing/responses-request-fixture.ts";
import { text, user } from "../testing/turns-fixture.ts";

describe("responses output control", () => {
  test("J1, J4 JSON without a schema brings its word along; a schema gets a name", () => {
    const json = encode({ format: { type: "json" } });
    expect(json.body.input).toMatchObject([{ role: "developer", content: "Answer with JSON." }, { role: "user" }]);
    expect(json.notices).toMatchObject([{ verdict: "emulated" }]);
    expect(encode({ format: { type: "json" }, turns: [user(text("as json"))] }).notices).toEqual([]);
    expect(encode({ format: { type: "schema", schema: { type: "object" } } }).body.text).toEqual({
      format: { type: "json_schema", name: "response", schema: { type: "object" }, strict: false },
    });
  });
});
