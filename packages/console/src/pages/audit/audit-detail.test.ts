import { expect, test } from "vitest";
import { readDetail, shortDetail } from "./audit-detail.ts";

test("what changed is told with before and after, whatever the field is called; the rest stands beside", () => {
  const detail = {
    name_before: "Acme",
    name_after: "Acme Ltd",
    "calls.retention_before": null,
    "calls.retention_after": "30d",
    email: "ada@example.com",
    note: null,
  };
  expect(readDetail(detail)).toEqual({
    changes: [
      { field: "name", before: "Acme", after: "Acme Ltd" },
      { field: "calls.retention", before: null, after: "30d" },
    ],
    others: [
      ["email", "ada@example.com"],
      ["note", null],
    ],
  });
  expect(shortDetail(detail)).toBe("name: Acme → Acme Ltd · calls.retention: – → 30d · email: ada@example.com");
});

test("a role that was given has a before and an after without a field", () => {
  expect(shortDetail({ email: "a@b.c", before: null, after: "owner" })).toBe("– → owner · email: a@b.c");
});
