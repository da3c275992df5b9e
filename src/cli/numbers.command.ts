import type { Actor } from "../accounts/audit.repo.ts";
import {
  giveInboundNumber,
  type InboundNumber,
  listInboundNumbers,
  releaseInboundNumber,
} from "../accounts/inbound-numbers.repo.ts";
import type { Database, Db } from "../db/database.ts";
import { addressKey } from "../kernel/address.ts";
import { DAY_MS } from "../kernel/duration.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { listUnownedNumbers } from "../sms/inbound.repo.ts";
import { parseSender } from "../sms/sms.ts";
import { noSuchAccount, ofAccount } from "./account-argument.ts";
import { CannotRun, type Report, tableText } from "./report.ts";

/** The normalised short code or full number that handsets write to. */
function numberOf(text: string): string {
  const parsed = parseSender(text);
  if (parsed.ok && /^\d+$/.test(parsed.value)) return addressKey(parsed.value);
  throw new CannotRun(`"${text}" is neither a short code of 3 to 8 digits nor a number like +2348031234567`);
}

const view = ({ number, mode, accountId }: InboundNumber) => ({ number, mode, account: encodeId("acc", accountId) });

/** How far back to look for messages to unassigned numbers. */
const UNOWNED_DAYS = 30;

/** Numbers and their accounts; for all accounts, also unassigned numbers that received messages. */
export const numbersList = (db: Db, accountId: Uuid | undefined, now: Date): Promise<Report> =>
  ofAccount(db, accountId, () => list(db, accountId, now));

async function list(db: Db, accountId: Uuid | undefined, now: Date): Promise<Report> {
  const numbers = (await listInboundNumbers(db, accountId)).map(view);
  if (accountId !== undefined) return { ok: true, json: { numbers }, text: ownedText(numbers) };
  const since = new Date(now.getTime() - UNOWNED_DAYS * DAY_MS);
  const unowned = (await listUnownedNumbers(db, since)).map(({ number, mode, messages, lastAt }) => ({
    number,
    mode,
    messages,
    last_at: lastAt.toISOString(),
  }));
  const unownedText =
    unowned.length === 0
      ? []
      : [
          `Unassigned numbers that received messages in the last ${UNOWNED_DAYS} days:`,
          tableText(
            ["NUMBER", "MODE", "MESSAGES", "LAST"],
            unowned.map((one) => [one.number, one.mode, String(one.messages), one.last_at]),
          ),
        ];
  return { ok: true, json: { numbers, unowned }, text: [ownedText(numbers), ...unownedText].join("\n\n") };
}

const ownedText = (numbers: readonly ReturnType<typeof view>[]): string =>
  numbers.length === 0
    ? "No number belongs to an account: incoming messages are kept for the operator only."
    : tableText(
        ["NUMBER", "MODE", "ACCOUNT"],
        numbers.map(({ number, mode, account }) => [number, mode, account]),
      );

/** Assigns a number's incoming messages to an account. */
export async function numbersAssign(
  db: Database,
  actor: Actor,
  { accountId, text, mode }: { readonly accountId: Uuid; readonly text: string; readonly mode: Mode },
): Promise<Report> {
  const wanted = { number: numberOf(text), mode, accountId };
  const owner = await giveInboundNumber(db, wanted, actor);
  if (owner === undefined) throw new CannotRun(noSuchAccount(accountId).detail);
  const shown = view({ ...wanted, accountId: owner });
  const { number, account } = shown;
  const release = `./afara numbers release --number ${number} --mode ${mode}`;
  return owner === accountId
    ? { ok: true, json: { ok: true, ...shown }, text: `${number} (${mode}) belongs to ${account}.` }
    : {
        ok: false,
        json: { ok: false, ...shown },
        text: `${number} (${mode}) belongs to ${account}. To reassign it, release it first: ${release}`,
      };
}

export async function numbersRelease(db: Database, actor: Actor, text: string, mode: Mode): Promise<Report> {
  const number = numberOf(text);
  const owner = await releaseInboundNumber(db, number, mode, actor);
  return owner === undefined
    ? { ok: false, json: { ok: false, number, mode }, text: `No account has ${number} (${mode}).` }
    : {
        ok: true,
        json: { ok: true, ...view({ number, mode, accountId: owner }) },
        text: `${number} (${mode}) is free. ${encodeId("acc", owner)} had it and keeps the messages it received.`,
      };
}
