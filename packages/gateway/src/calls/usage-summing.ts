import { type RawBuilder, sql } from "kysely";
import type { Database, Statement } from "../storage/database.ts";
import type { UsageTotalTable } from "../storage/schema.ts";
import type { UsageAccountTotalTable } from "../storage/usage-schema.ts";
import { sumColumns } from "./usage-hour.ts";

export type TotalDimension = UsageTotalTable["dimension"];

/** What a total is by, as a column of `usage_hour`. */
export const totalColumns = {
  all: null,
  account: "account_id",
  model: "model",
  channel: "channel",
  client_protocol: "client_protocol",
} as const satisfies Record<TotalDimension, string | null>;

export type AccountDimension = UsageAccountTotalTable["dimension"];

/** What a total of an account is by, as a column of `usage_hour`. */
export const accountDimensions = ["model", "channel", "client_protocol"] as const satisfies readonly AccountDimension[];

/** Keys that are kept of an hour: of each account, and of all together. */
const topKeys = { account: 20, all: 20 };

/**
 * What sums up an hour: whatever its totals were, they are then those of `usage_hour`. To be written as one unit.
 */
export function summingStatements({
  build,
  compile,
}: Pick<Database, "build" | "compile">): (hour: number) => Statement[] {
  const columns = sql.join(sumColumns.map((column) => sql.ref(column)));
  const added = sql.join(sumColumns.map((column) => sql`cast(sum(${sql.ref(column)}) as bigint)`));

  const totals = (hour: number): Statement => {
    const selects = Object.entries(totalColumns).map(([dimension, column]) => {
      const value = column === null ? sql`''` : sql.ref(column);
      // The group of no column is there also where there is no row.
      const grouped: RawBuilder<unknown> = column === null ? sql`having count(*) > 0` : sql`group by ${value}`;
      return sql`select ${sql.lit(dimension)}, ${sql.lit(hour)}, ${value}, ${added} from sums ${grouped}`;
    });
    return compile(sql`
      insert into usage_total (dimension, hour, value, ${columns})
      with sums as materialized (select * from usage_hour where hour = ${hour})
      ${sql.join(selects, sql` union all `)}`);
  };

  const accountHours = (hour: number): Statement =>
    compile(sql`
      insert into usage_account_hour (account_id, hour, model, channel, client_protocol, ${columns})
      with sums as materialized (select * from usage_hour where hour = ${hour})
      select account_id, ${sql.lit(hour)}, model, channel, client_protocol, ${added} from sums
      group by account_id, model, channel, client_protocol
      union all
      select '', ${sql.lit(hour)}, model, channel, client_protocol, ${added} from sums
      group by model, channel, client_protocol`);

  const accountTotals = (hour: number): Statement => {
    const selects = accountDimensions.map(
      (dimension) => sql`
        select account_id, ${sql.lit(dimension)}, ${sql.lit(hour)}, ${sql.ref(dimension)}, ${added} from sums
        group by account_id, ${sql.ref(dimension)}`,
    );
    return compile(sql`
      insert into usage_account_total (account_id, dimension, hour, value, ${columns})
      with sums as materialized (select * from usage_account_hour where hour = ${hour} and account_id <> '')
      ${sql.join(selects, sql` union all `)}`);
  };

  const keys = (hour: number): Statement =>
    compile(sql`
      insert into usage_key_top (account_id, hour, access_key_id, calls, charge)
      with sums as materialized (
        select account_id, access_key_id, cast(sum(calls) as bigint) as calls, cast(sum(charge) as bigint) as charge
        from usage_hour where hour = ${hour} group by account_id, access_key_id),
      placed as (
        select account_id, access_key_id, calls, charge,
          row_number() over (partition by account_id order by charge desc, calls desc, access_key_id) as place,
          row_number() over (order by charge desc, calls desc, access_key_id) as place_of_all
        from sums)
      select account_id, ${sql.lit(hour)}, access_key_id, calls, charge from placed where place <= ${sql.lit(topKeys.account)}
      union all
      select '', ${sql.lit(hour)}, access_key_id, calls, charge from placed where place_of_all <= ${sql.lit(topKeys.all)}`);

  const tables = ["usage_total", "usage_account_hour", "usage_account_total", "usage_key_top"] as const;
  return (hour) => [
    ...tables.map((table) => build.deleteFrom(table).where("hour", "=", hour).compile()),
    totals(hour),
    accountHours(hour),
    accountTotals(hour),
    keys(hour),
  ];
}
