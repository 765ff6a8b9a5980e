import { describe, expect, test } from "vitest";
import type { JsonObject } from "../canonical/index.ts";
import { Report } from "../shared/report.ts";
import { refuseStoredState } from "../shared/state.ts";
import { plainVault } from "../shared/vault.ts";
import { refusedField } from "../testing/responses-request-fixture.ts";
import { decodeRequest } from "./request-decoder.ts";
import { encodeRequest } from "./request-encoder.ts";

const vault = plainVault();

describe("stored state at protocols that keep none", () => {
  const refused = (more: JsonObject) => {
    const canonical = decodeRequest({ model: "m", input: "Hi", ...more }, {}, { vault });
    return refusedField(() => refuseStoredState(canonical, new Report()));
  };

  test.each<[string, JsonObject, string]>([
    ["R1", { previous_response_id: "resp_1" }, "previous_response_id"],
    ["R3 conversation", { conversation: "conv_1" }, "conversation"],
    ["R3 conversation object", { conversation: { id: "conv_1" } }, "conversation"],
    ["R3 background", { background: true }, "background"],
    ["R3 prompt", { prompt: { id: "pmpt_1" } }, "prompt"],
    ["R4", { truncation: "auto" }, "truncation"],
    ["R5", { input: [{ type: "item_reference", id: "msg_1" }] }, "input[0]"],
    ["R5 without a type", { input: [{ id: "msg_1" }] }, "input[0]"],
  ])("%s is refused by its field", (_name, more, field) => {
    expect(refused(more)).toBe(field);
  });

  test("R2 an explicit wish to store is told, silence is not", () => {
    const tell = (more: JsonObject) => {
      const report = new Report();
      refuseStoredState(decodeRequest({ model: "m", input: "Hi", ...more }, {}, { vault }), report);
      return report.notices.map((notice) => notice.field);
    };
    expect(tell({ store: true })).toEqual(["store"]);
    expect(tell({})).toEqual([]);
  });

  test("towards its own protocol stored state goes through, with no repair of what only the provider knows", () => {
    const sent = {
      model: "m",
      previous_response_id: "resp_1",
      store: true,
      input: [{ type: "function_call_output", call_id: "c1", output: "x" }],
    };
    const { body, notices } = encodeRequest(decodeRequest(sent, {}, { vault }), { model: "m", stream: false });
    expect(body).toMatchObject(sent);
    expect(notices).toEqual([]);
  });
});
