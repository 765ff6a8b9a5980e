import type { ProtocolName } from "@interlingua/protocols";
import type { Script } from "@interlingua/upstream-sim";
import { sql } from "kysely";
import type { Config } from "../config/config.ts";
import { priceSchema } from "../config/price-schema.ts";
import { moneyText } from "../storage/money-column.ts";
import { clientCall } from "./client-call.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "./test-gateway.ts";

/** In nano-dollars. */
export const dollar = 1_000_000_000n;

/** A million tokens cost a dollar in and ten out: 1,000 nano-dollars a token, and 10,000. */
const listPrices = [priceSchema.parse({ model: "*", input: 1, output: 10 })];

interface Purse {
  billing?: "prepaid" | "postpaid";
  balance?: bigint;
  quota?: bigint;
}

/** A gateway whose caller pays, with so much in the account. */
export async function paying(
  purse: Purse,
  options: TestGatewayOptions & { billing?: Partial<Config["billing"]>; prices?: Config["prices"] } = {},
) {
  const { billing, prices = listPrices, ...rest } = options;
  const gateway = await startTestGateway({
    ...rest,
    config: (base) => {
      const own = options.config?.(base) ?? base;
      return { ...own, prices, billing: { ...own.billing, ...billing } };
    },
  });
  await gateway.withDatabase(async ({ write, build, compile }) => {
    await write([
      build
        .updateTable("account")
        .set({ billing: purse.billing ?? "prepaid", balance: purse.balance ?? 0n })
        .compile(),
      compile(
        sql`update access_key set quota = ${purse.quota ?? null}, quota_period = ${purse.quota === undefined ? null : "total"}`,
      ),
      build
        .insertInto("change_sequence")
        .values({ entity: "account", entity_id: "acct_default", changed_at: 0 })
        .compile(),
      compile(
        sql`insert into change_sequence (entity, entity_id, changed_at) select 'access_key', id, 0 from access_key`,
      ),
    ]);
  });
  return gateway;
}

/** Puts so much into the account. */
export function fill(gateway: TestGateway, balance: bigint) {
  return gateway.withDatabase(({ write, build }) => write([build.updateTable("account").set({ balance }).compile()]));
}

/** What the account holds, and what of it is set aside. */
export function purseOf(gateway: TestGateway) {
  return gateway.withDatabase(async ({ read }) => {
    const row = await read
      .selectFrom("account")
      .select([moneyText("balance").as("balance"), moneyText("reserved").as("reserved")])
      .executeTakeFirstOrThrow();
    return { balance: BigInt(row.balance), reserved: BigInt(row.reserved) };
  });
}

/** A minimal call of a family. */
export async function send(
  gateway: TestGateway,
  client: ProtocolName,
  model: string,
  stream: boolean,
  more: object = {},
) {
  const { path, body } = clientCall(client, model, stream);
  const response = await gateway.post(path, { ...body, ...more });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** A short answer. */
export const answer = (more: Partial<Script> = {}): Script => ({
  steps: [{ kind: "text", text: "One two three." }],
  ...more,
});
/** Costs 600,000 nano-dollars at the list price. */
export const usage = { input: 100, output: 50 };
