/** An account of the made-up past, with its share of keys and calls. */
export interface PastAccount {
  id: string;
  name: string;
  billing: "prepaid" | "postpaid";
  creditLimit: number | null;
  markupPpm: number;
  /** Its keys are numbered from `firstKey` on. */
  firstKey: number;
  keys: number;
  /** How often its keys call. */
  weight: number;
  /** What is paid in when the balance falls below a fifth of it, in nano-dollars; prepaid accounts alone. */
  topUp: number;
  /** Days before the end of the past. */
  ageDays: number;
}

const dollar = 1_000_000_000;

/** Ids by which tests and pages are found. */
export const accountIds = {
  large: "acct_01aurora00000000000000000a",
  middle: "acct_02birch000000000000000000b",
  small: "acct_03cedar000000000000000000c",
  empty: "acct_04dune0000000000000000000d",
} as const;

/** One account with `keys` keys and most calls, a middle one, a small one, an empty one and many very small ones. */
export function pastAccounts(keys: number): PastAccount[] {
  const accounts: PastAccount[] = [];
  let firstKey = 0;
  const add = (account: Omit<PastAccount, "firstKey">) => {
    accounts.push({ ...account, firstKey });
    firstKey += account.keys;
  };
  const prepaid = { billing: "prepaid", creditLimit: null, markupPpm: 1_000_000 } as const;
  const postpaid = { billing: "postpaid", creditLimit: 500 * dollar, markupPpm: 1_000_000, topUp: 0 } as const;
  add({
    ...prepaid,
    id: accountIds.large,
    name: "Aurora Robotics",
    keys,
    weight: 860,
    topUp: 5000 * dollar,
    ageDays: 390,
  });
  const middle = Math.max(20, Math.round(keys / 320));
  add({
    ...prepaid,
    id: accountIds.middle,
    name: "Birch & Partners",
    markupPpm: 1_200_000,
    keys: middle,
    weight: 90,
    topUp: 1000 * dollar,
    ageDays: 210,
  });
  add({
    ...prepaid,
    id: accountIds.small,
    name: "Cedar Studio",
    keys: 12,
    weight: 40,
    topUp: 250 * dollar,
    ageDays: 95,
  });
  add({ ...prepaid, id: accountIds.empty, name: "Dune Analytics", keys: 0, weight: 0, topUp: 0, ageDays: 1 });
  const towns = [
    "Aspen",
    "Bergen",
    "Cadiz",
    "Delft",
    "Evora",
    "Ghent",
    "Hanoi",
    "Izmir",
    "Kyoto",
    "Lagos",
    "Malmo",
    "Osaka",
  ];
  const trades = ["Books", "Foods", "Health", "Logistics", "Media"];
  for (const [place, town] of towns.entries()) {
    for (const [kind, trade] of trades.entries()) {
      const number = String(place * trades.length + kind).padStart(4, "0");
      const name = `${town} ${trade}`;
      add({ ...postpaid, id: `acct_05small000000000000000${number}`, name, keys: 2, weight: 0.2, ageDays: 40 + place });
    }
  }
  return accounts;
}
