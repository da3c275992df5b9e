import type { Db } from "../db/database.ts";
import { makeCommitLane } from "../db/group-commit.ts";
import { kobo } from "../kernel/kobo.ts";
import type { KeyLookup } from "./key-record.ts";
import { findKeys, type KeyRow } from "./keys.repo.ts";
import type { Plans } from "./plans.ts";

const LOOK_UPS_MAX = 500;

/** Concurrent look-ups share one query, one at a time: a flood of invented keys costs the database little. */
export function makeKeyLookup(db: Db, { configured }: Pick<Plans, "configured">): KeyLookup {
  const lane = makeCommitLane<Buffer, KeyRow | undefined>({
    batchMax: LOOK_UPS_MAX,
    run: async (hashes) => {
      const found = await findKeys(db, hashes);
      return hashes.map((hash) => found.get(hash.toString("hex")));
    },
  });
  return {
    async find(hash) {
      const row = await lane.submit(hash);
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
          rolled: row.rolled_at && row.rolled_until && { at: row.rolled_at, until: row.rolled_until },
          spendCapKobo: row.spend_cap_kobo === null ? null : kobo(row.spend_cap_kobo),
          spendsAs: row.spends_as,
          defaultSender: row.default_sender,
          subscriptions: configured(row.subscriptions),
        }
      );
    },
  };
}
