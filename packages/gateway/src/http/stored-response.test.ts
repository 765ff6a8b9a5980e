import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, errorOf, read } from "../testing/responses-caller.ts";
import { startTestGateway, type TestGateway } from "../testing/test-gateway.ts";

let test: TestGateway;
beforeAll(async () => {
  test = await startTestGateway();
});
afterAll(() => test[Symbol.asyncDispose]());

describe("R1 what can be done with a stored response", () => {
  it("is told by the parameter that is wrong", async () => {
    const { id } = await ask(test, {
      store: true,
      input: [
        { role: "user", content: "a" },
        { role: "user", content: "b" },
      ],
    });
    const invalid = { status: 400, code: "invalid_value" };
    expect(await errorOf(read(test, `${id}?stream=true`))).toMatchObject({ status: 400, param: "stream" });
    for (const limit of ["0", "101", "ten", ""]) {
      const error = await errorOf(read(test, `${id}/input_items?limit=${limit}`));
      expect(error).toMatchObject({ ...invalid, param: "limit" });
    }
    expect(await errorOf(read(test, `${id}/input_items?order=up`))).toMatchObject({ ...invalid, param: "order" });
    expect(await errorOf(read(test, `${id}/input_items?after=msg_1`))).toMatchObject({ ...invalid, param: "after" });
    expect(await errorOf(read(test, `${id}/cancel`, { method: "POST" }))).toMatchObject({
      status: 400,
      message: "Cannot cancel a synchronous response.",
    });
  });

  it("its input is paged, newest first unless asked otherwise", async () => {
    const input = ["a", "b", "c"].map((content) => ({ role: "user", content }));
    const { id } = await ask(test, { store: true, input });
    interface Page {
      data: { id: string; content: { text: string }[] }[];
      first_id: string;
      last_id: string;
      has_more: boolean;
    }
    const page = async (query: string): Promise<Page> =>
      JSON.parse(await (await read(test, `${id}/input_items${query}`)).text());
    const texts = ({ data }: Page) => data.map(({ content }) => content[0]?.text);
    const first = await page("?limit=2");
    expect(texts(first)).toEqual(["c", "b"]);
    expect(first).toMatchObject({
      object: "list",
      has_more: true,
      first_id: first.data[0]?.id,
      last_id: first.data[1]?.id,
    });
    const rest = await page(`?limit=2&after=${first.last_id}`);
    expect(texts(rest)).toEqual(["a"]);
    expect(rest.has_more).toBe(false);
    expect(texts(await page("?order=asc"))).toEqual(["a", "b", "c"]);
    expect(await page(`?after=${rest.last_id}`)).toMatchObject({ data: [], first_id: null, last_id: null });
  });

  it("deleting it is answered once", async () => {
    const { id } = await ask(test, { store: true });
    const deleted = await read(test, id, { method: "DELETE" });
    expect(await deleted.json()).toEqual({ id, object: "response", deleted: true });
    expect((await read(test, id, { method: "DELETE" })).status).toBe(404);
  });

  it("reads count against the key's reads", async () => {
    await using own = await startTestGateway({
      config: (base) => ({ ...base, limits: { ...base.limits, requestsPerMinute: 1 } }),
    });
    const statuses: number[] = [];
    for (let turn = 0; turn < 20; turn++) statuses.push((await read(own, "resp_1")).status);
    expect(statuses[0]).toBe(404);
    expect(statuses.at(-1)).toBe(429);
  });
});
