import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameCutter } from "./frame-cutter.ts";

function cut(pieces: readonly Buffer[]) {
  const cutter = new FrameCutter(1_000_000);
  const out: string[] = [];
  for (const piece of pieces) {
    const whole = cutter.push(piece);
    if (whole !== undefined) out.push(whole.toString("latin1"));
  }
  return { out, rest: cutter.rest().toString("latin1") };
}

describe("only whole frames are handed on", () => {
  it.each([
    [["data: a\n\nda", "ta: b\n", "\n"], ["data: a\n\n", "data: b\n\n"], ""],
    [["data: a\r\n\r", "\ndata: b"], ["data: a\r\n\r\n"], "data: b"],
    [["data: a\r", "\n", "\r", "\n"], ["data: a\r\n\r\n"], ""],
    [["data: a\r\rdata"], ["data: a\r\r"], "data"],
    [["data: a\n", "\n"], ["data: a\n\n"], ""],
    [["data: a\n", "data: b\n", "\ndata: c"], ["data: a\ndata: b\n\n"], "data: c"],
  ])("%j", (pieces, out, rest) => {
    expect(cut(pieces.map((piece) => Buffer.from(piece)))).toEqual({ out, rest });
  });

  it("loses and changes no byte, however the stream is cut", () => {
    const part = fc.constantFrom("data: x", "\n", "\n\n", "\r\n", "\r\n\r\n", "event: y", ": c", "\r");
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(5), { minLength: 1 }), (parts, sizes) => {
        const bytes = Buffer.from(parts.join(""));
        const pieces: Buffer[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = 1 + (sizes[turn % sizes.length] ?? 0);
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        const { out, rest } = cut(pieces);
        expect(out.join("") + rest).toBe(bytes.toString("latin1"));
        for (const piece of out) expect(piece).toMatch(/(?:\n\r?\n|\r\r)$/);
      }),
    );
  });

  it("R9 refuses a frame that is too large", () => {
    const cutter = new FrameCutter(10);
    expect(cutter.push(Buffer.from("data: 12"))).toBeUndefined();
    expect(cutter.push(Buffer.from("3456"))).toBe("too-large");
  });
});
