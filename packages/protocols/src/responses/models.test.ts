import { describe, expect, test } from "vitest";
import { responses } from "./codec.ts";

describe("lists", () => {
  const card = { id: "m", createdAt: 1, ownedBy: "o" };

  test("models have the vendor's keys and no other", () => {
    expect(responses.encodeModelList([card])).toEqual({
      object: "list",
      data: [{ id: "m", object: "model", created: 1, owned_by: "o" }],
    });
  });
});
