import { randomBytes } from "node:crypto";
import { type AuditActor, type AuditDetail, auditStatement } from "../../packages/gateway/src/audit/audit-log.ts";
import { createPasswords } from "../../packages/gateway/src/management/passwords.ts";
import { createUsers } from "../../packages/gateway/src/management/users.ts";
import type { Platform } from "../../packages/gateway/src/platform.ts";
import type { Database, Statement } from "../../packages/gateway/src/storage/database.ts";
import type { AccountRole } from "../../packages/gateway/src/storage/users-schema.ts";
import { accountIds } from "./accounts.ts";
import { createDraw } from "./random.ts";

/** Who can sign in to the seeded installation. `newcomer` owns an account in which nothing has happened yet. */
export type Person = "operator" | "owner" | "member" | "viewer" | "newcomer";

/** How somebody signs in. */
export interface SignInData {
  email: string;
  password: string;
}

const people: Record<Person, { name: string; roles: readonly { accountId: string; role: AccountRole }[] }> = {
  operator: { name: "Ada Operator", roles: [] },
  owner: {
    name: "Olu Owner",
    roles: [
      { accountId: accountIds.large, role: "owner" },
      { accountId: accountIds.small, role: "viewer" },
    ],
  },
  member: { name: "Mei Member", roles: [{ accountId: accountIds.large, role: "member" }] },
  viewer: { name: "Vera Viewer", roles: [{ accountId: accountIds.large, role: "viewer" }] },
  newcomer: { name: "Nils Newcomer", roles: [{ accountId: accountIds.empty, role: "owner" }] },
};

const actor: AuditActor = { kind: "command", id: null, name: "command line", address: null };

/** Makes the people with passwords that nobody else knows, and gives these back. The accounts must be there. */
export async function makePeople(database: Database, platform: Platform): Promise<Record<Person, SignInData>> {
  const users = createUsers({ database, platform, passwords: createPasswords(platform) });
  const make = async (person: Person): Promise<SignInData> => {
    const { name, roles } = people[person];
    const data = { email: `${person}@example.test`, password: randomBytes(18).toString("base64url") };
    const { id } = await users.create({ ...data, name }, { operator: person === "operator" }, actor);
    for (const { accountId, role } of roles) await users.setRole(id, accountId, role, actor);
    return data;
  };
  return {
    operator: await make("operator"),
    owner: await make("owner"),
    member: await make("member"),
    viewer: await make("viewer"),
    newcomer: await make("newcomer"),
  };
}

const firstNames = ["Amir", "Bea", "Chen", "Dana", "Emil", "Fay", "Goran", "Hana", "Ivo", "Jun", "Kai", "Lena"];
const lastNames = ["Adler", "Brandt", "Costa", "Dubois", "Eriksen", "Fontana", "Garcia", "Huang", "Ito", "Jansen"];

/** Makes users who have never signed in, as members of the middle account, so that lists have something to show. */
export async function makeCrowd(database: Database, size: number, now: number): Promise<void> {
  const unit: Statement[] = [];
  for (let index = 0; index < size; index += 1) {
    const first = firstNames[index % firstNames.length];
    const last = lastNames[Math.floor(index / firstNames.length) % lastNames.length];
    const id = `usr_01made${String(index).padStart(20, "0")}`;
    const at = now - index * 7_200_000;
    unit.push(
      database.build
        .insertInto("user")
        .values({
          id,
          name: `${first} ${last}`,
          email: `${first}.${last}.${index}@example.test`.toLowerCase(),
          email_verified: 1,
          image: null,
          disabled_at: index % 19 === 7 ? at : null,
          created_at: at,
          updated_at: at,
        })
        .compile(),
      database.build
        .insertInto("membership")
        .values({
          user_id: id,
          account_id: index % 3 === 0 ? accountIds.large : accountIds.middle,
          role: index % 5 === 0 ? "owner" : index % 2 === 0 ? "member" : "viewer",
          created_at: at,
        })
        .compile(),
    );
  }
  await database.write(unit);
}

const deeds: readonly [Deed, ...Deed[]] = [
  { action: "session.started", target: "user" },
  { action: "access_key.created", target: "access_key", account: true, detail: { name: "search-agent-0001" } },
  {
    action: "access_key.changed",
    target: "access_key",
    account: true,
    detail: { quota_before: "$20.00", quota: "$50.00" },
  },
  {
    action: "access_key.disabled",
    target: "access_key",
    account: true,
    detail: { before: "enabled", after: "disabled" },
  },
  { action: "access_key.rotated", target: "access_key", account: true, detail: { grace: "24h" } },
  {
    action: "account.topped_up",
    target: "account",
    account: true,
    detail: { amount: "$5000.00", note: "Bank transfer" },
  },
  { action: "price.set", target: "price", detail: { model: "gpt-5.2", input: "$1.75", output: "$14.00" } },
  {
    action: "settings.changed",
    target: "settings",
    detail: { name: "calls.retention", before: "400d", after: "365d" },
  },
];

interface Deed {
  action: string;
  target: string;
  account?: boolean;
  detail?: AuditDetail;
}

/** Fills the audit log of the last 30 days, oldest first. */
export async function makeAuditLog(database: Database, platform: Platform, size: number, now: number): Promise<void> {
  const draw = createDraw(size);
  const unit: Statement[] = [];
  for (let index = 0; index < size; index += 1) {
    const at = Math.floor(now - 30 * 86_400_000 * (1 - (index + 1) / (size + 1)));
    const deed = draw.of(deeds);
    const accountId = deed.account ? draw.of([accountIds.large, accountIds.middle, accountIds.small]) : null;
    const by = draw.of(["operator", "owner", "member"]);
    unit.push(
      auditStatement(
        database,
        { now: () => at, id: platform.id },
        {
          actor: { kind: "user", id: `usr_of_${by}`, name: `${by}@example.test`, address: "203.0.113.24" },
          action: deed.action,
          target: { kind: deed.target, id: `${deed.target}_01made${String(draw.below(4000)).padStart(20, "0")}` },
          accountId,
          ...(deed.detail ? { detail: deed.detail } : {}),
        },
      ),
    );
  }
  await database.write(unit, { alone: true });
}
