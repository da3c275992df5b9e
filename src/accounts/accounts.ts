import type { ConfigFile, PlanConfig } from "../config-file.ts";
import type { Db } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import type { Clock } from "../kernel/clock.ts";
import { newUuid, type Uuid } from "../kernel/ids.ts";
import { parseKobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { invariant } from "../kernel/result.ts";
import { openLedgerAccounts, postTransfer } from "../ledger/ledger.repo.ts";
import {
  assignInboundNumber,
  findKeys,
  insertAccount,
  insertKey,
  type KeyRow,
  subscribe,
  suspendedAccounts,
} from "./accounts.repo.ts";
import { hashApiKey } from "./api-key.ts";
import type { KeyLookup, KeyRecord, LimitFor } from "./key-record.ts";
import { keepSetting } from "./settings.repo.ts";

/** Who may call, by which plan, and with what money. Management for people comes on top of this. */
export interface Accounts {
  readonly lookup: KeyLookup;
  readonly hashKey: (key: string) => Buffer;
  readonly limitFor: LimitFor;
  planOf(service: string, planId: string): PlanConfig;
  /** Every per-minute limit that applies to a caller: those of its plans, and those that all have. */
  policiesOf(caller: KeyRecord): readonly string[];
  /** The monthly quotas of a caller's plans, as far as they have one. */
  quotasOf(caller: KeyRecord): readonly { readonly service: string; readonly plan: string; readonly limit: number }[];
  /** Answers from memory for a few seconds: an order's dispatch must not cost a query. */
  isSuspended(accountId: Uuid): Promise<boolean>;
  /** The account of a gateway on one's own machine, with this test key, the largest plan of each service and play money. */
  ensureLocalAccount(testKey: string): Promise<Uuid>;
}

export interface AccountsOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly config: ConfigFile;
  readonly pepper: string;
}

const SUSPENSION_MEMORY_MS = 4_000;
const LOOK_UPS_MAX = 500;
const SUSPENSION_MEMORY_MAX = 10_000;
const LOCAL_ACCOUNT = "Local";
const ALL_SCOPES = ["read", "send", "vend", "manage"];
const MODES: readonly Mode[] = ["live", "test"];

/** Short code that handsets of test mode write to for the local account. */
const LOCAL_SHORT_CODE = "20001";

export function makeAccounts({ db, clock, config, pepper }: AccountsOptions): Accounts {
  const plans = new Map(
    Object.entries(config.services).flatMap(([service, { plans }]) =>
      plans.map((plan) => [`${service} ${plan.id}`, plan] as const),
    ),
  );
  const hashKey = (key: string) => hashApiKey(pepper, key);
  const suspension = new Map<Uuid, { readonly suspended: boolean; readonly readAtMs: number }>();
  let asking: { readonly ids: Set<Uuid>; readonly answer: Promise<ReadonlySet<Uuid>> } | undefined;

  /** Questions that come up together are asked together. */
  const askSuspended = (accountId: Uuid): Promise<ReadonlySet<Uuid>> => {
    if (!asking) {
      const ids = new Set<Uuid>();
      const answer = Promise.resolve().then(() => {
        asking = undefined;
        return suspendedAccounts(db, [...ids]);
      });
      asking = { ids, answer };
    }
    asking.ids.add(accountId);
    return asking.answer;
  };

  const planOf = (service: string, planId: string): PlanConfig => {
    const plan = plans.get(`${service} ${planId}`);
    invariant(plan, `plan ${planId} of ${service} is configured`);
    return plan;
  };

  const plansOf = (caller: KeyRecord) =>
    Object.entries(caller.subscriptions).flatMap(([service, { plan: id }]) => {
      const plan = plans.get(`${service} ${id}`);
      return plan ? [{ service, plan }] : [];
    });

  // Look-ups that come up together are one query, one at a time: a flood of made-up keys costs the database little.
  const lookUps = makeCommitLane<Buffer, KeyRow | undefined>({
    batchMax: LOOK_UPS_MAX,
    run: async (hashes) => {
      const found = await findKeys(db, hashes);
      return hashes.map((hash) => found.get(hash.toString("hex")));
    },
  });

  return {
    hashKey,
    planOf,
    lookup: {
      async find(hash) {
        const row = await lookUps.submit(hash);
        return (
          row && {
            keyId: row.id,
            accountId: row.account_id,
            accountSuspended: row.suspended,
            mode: row.mode,
            services: row.services,
            scopes: row.scopes,
            cidrs: row.cidrs,
            expiresAt: row.expires_at,
            revokedAt: row.revoked_at,
            subscriptions: row.subscriptions,
          }
        );
      },
    },

    limitFor(caller, policy) {
      for (const [service, { plan }] of Object.entries(caller.subscriptions)) {
        const limit = plans.get(`${service} ${plan}`)?.limits[policy];
        if (limit !== undefined) return limit;
      }
      return config.limits[policy] ?? 0;
    },

    policiesOf(caller) {
      const own = plansOf(caller).flatMap(({ plan }) => Object.keys(plan.limits));
      return [...new Set([...Object.keys(config.limits), ...own])].sort();
    },

    quotasOf: (caller) =>
      plansOf(caller).flatMap(({ service, plan: { id, quota } }) =>
        quota === null ? [] : [{ service, plan: id, limit: quota }],
      ),

    async isSuspended(accountId) {
      const nowMs = clock.monotonicMs();
      const known = suspension.get(accountId);
      if (known && nowMs - known.readAtMs < SUSPENSION_MEMORY_MS) return known.suspended;
      const suspended = (await askSuspended(accountId)).has(accountId);
      if (suspension.size >= SUSPENSION_MEMORY_MAX) suspension.clear();
      suspension.set(accountId, { suspended, readAtMs: nowMs });
      return suspended;
    },

    async ensureLocalAccount(testKey) {
      // Known by a setting, not by its name: anybody may call an account "Local".
      const accountId = (await keepSetting(db, "local_account", newUuid())) as Uuid;
      await insertAccount(db, { id: accountId, name: LOCAL_ACCOUNT });
      const services = Object.entries(config.services);
      const kinds = ["wallet", "funding", "refunds", "loss", ...services.map(([service]) => `sales:${service}`)];
      for (const mode of MODES) await openLedgerAccounts(db, accountId, mode, kinds);
      for (const [service, { plans }] of services) await subscribe(db, accountId, service, plans.at(-1)!.id);
      await postTransfer(db, {
        accountId,
        id: accountId, // once in the account's life
        mode: "test",
        kind: "credit",
        debit: "funding",
        credit: "wallet",
        amountKobo: parseKobo(config.playMoney),
        reason: "play money",
        at: clock.now(),
      });
      await insertKey(db, {
        id: newUuid(),
        accountId,
        mode: "test",
        hash: hashKey(testKey),
        start: testKey.slice(0, "afara_test_".length + 4),
        last4: testKey.slice(-4),
        scopes: ALL_SCOPES,
      });
      await assignInboundNumber(db, accountId, LOCAL_SHORT_CODE, "test");
      return accountId;
    },
  };
}
