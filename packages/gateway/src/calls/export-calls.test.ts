import { expect, test } from "vitest";
import { describeEngines } from "../testing/database-engines.ts";
import { recordedCalls } from "../testing/recorded-calls.ts";
import { csvCell, type ExportOptions, exportCalls } from "./export-calls.ts";

test("S6 a cell that a spreadsheet would take for a formula stays a text, and what needs quotes has them", () => {
  const cells = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "plain", 'a "b"', "a,b", "a\nb", "", 12, -3, true];
  expect(cells.map(csvCell)).toEqual([
    "'=1+1",
    "'+1",
    "'-1",
    "'@SUM(A1)",
    "'\tx",
    "plain",
    '"a ""b"""',
    '"a,b"',
    '"a\nb"',
    "",
    "12",
    "-3",
    "true",
  ]);
  expect([null, undefined].map(csvCell)).toEqual(["", ""]);
});

describeEngines((make) => {
  test("an export holds every call of the list in its order, over many pages, and says when it was cut", async () => {
    await using scene = await recordedCalls(make);
    const ids = Array.from({ length: 450 }, (_, index) => `call_${String(index).padStart(4, "0")}`);
    await scene.record(...ids.map((id, index) => ({ id, startedAt: 1_767_225_600_000 + index, model: "=cmd" })));
    const textOf = async (options: Pick<ExportOptions, "format" | "most">) => {
      let text = "";
      for await (const piece of exportCalls(scene.database, { filter: { accessKeyId: "key_1" }, ...options })) {
        text += piece;
      }
      return text;
    };

    const csv = (await textOf({ format: "csv", most: 1000 })).trimEnd().split("\r\n");
    expect(csv[0]).toMatch(/^id,started_at,access_key_id,access_key_name,/);
    expect(csv.slice(1).map((line) => line.slice(0, 9))).toEqual(ids.toReversed());
    expect(csv[1]).toContain(",'=cmd,");
    expect(csv[1]).toContain("2026-01-01T00:00:00.449Z");

    const lines = (await textOf({ format: "ndjson", most: 1000 })).trimEnd().split("\n");
    const calls: { id: string }[] = lines.map((line) => JSON.parse(line));
    expect(calls.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(calls[0]).toMatchObject({ access_key_name: "key_1", charge: "751", usage: { input_uncached: 201 } });

    const cut = (await textOf({ format: "csv", most: 300 })).trimEnd().split("\r\n");
    expect(cut).toHaveLength(302);
    expect(cut.at(-1)).toMatch(/^# cut: more than 300 calls/);
    const cutLines = (await textOf({ format: "ndjson", most: 300 })).trimEnd().split("\n");
    expect(JSON.parse(cutLines.at(-1) ?? "")).toEqual({ cut: true, calls: 300 });
  });
});
