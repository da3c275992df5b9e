import { makeErasedName } from "../kernel/erased-name.ts";
import { newUuid } from "../kernel/ids.ts";
import {
  type Act,
  applyOptOutOf,
  areSuppressed,
  listSuppressions,
  suppress,
  unsuppress,
} from "../sms/suppressions.repo.ts";
import { makeTestDatabase } from "./database.ts";

/** Opt-outs on a real database: the functions in migrations/functions. */
const db = (await makeTestDatabase()).open();
export const ERASED_NAME = makeErasedName("a secret");
export const NOW = new Date("2026-11-27T09:00:00Z");
export const [P1, P2, U1, U2] = [
  "2348031234567",
  "2348091234567",
  "NG.13491208655302741918",
  "NG.99991208655302741919",
] as const;
export const STOP: Act = { act: "stop", channel: "all", reason: "stop" };
export const STOP_CHAT: Act = { act: "stop", channel: "chat", reason: "preference" };

/** An account of its own, whose recipients say what they want. */
export function makeAccount() {
  const accountId = newUuid();
  const mode = "test" as const;
  const isOut = async (address: string, channel: "sms" | "chat") =>
    (await areSuppressed(db, [{ accountId, mode, address, channel }], NOW, ERASED_NAME))[0]!;
  return {
    applyOptOut: (address: string, act: Act, at = NOW) => applyOptOutOf(db, { accountId, mode, address }, act, at),
    join: (now: readonly string[], formerly: readonly string[] = []) =>
      db.query("select join_people($1, $2, $3, $4)", [accountId, mode, now, formerly]),
    isOut,
    /** For promotional SMS and marketing by chat. */
    outs: async (address: string) => [await isOut(address, "sms"), await isOut(address, "chat")],
    listed: (address?: string) =>
      listSuppressions(
        db,
        { accountId, mode, address: address as never, channel: undefined, beforeId: undefined, limit: 10 },
        NOW,
        ERASED_NAME,
      ),
    suppress: (address: string) =>
      suppress(db, { accountId, mode, address }, { channel: "all", reason: "by mail" }, NOW),
    remove: (address: string, at: Date) =>
      unsuppress(
        db,
        { accountId, mode, address, actor: { kind: "operator", name: "ops" }, mayOverrule: true },
        at,
        ERASED_NAME,
      ),
    asBefore: (phone: string, source = "recipient") =>
      db.query(
        `insert into suppressions (account_id, mode, phone, source, id, reason, created_at) values ($1, $2, $3, $4, $5, 'stop', $6)
         on conflict (account_id, mode, phone, source) do nothing`,
        [accountId, mode, phone, source, newUuid(), NOW],
      ),
  };
}
