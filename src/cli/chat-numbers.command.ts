import type { Actor } from "../accounts/audit.repo.ts";
import { giveChatNumber, listChatNumbers, type OwnedChatNumber, releaseChatNumber } from "../chat/numbers.repo.ts";
import type { ConfigFile } from "../config/operator-file.ts";
import type { Database, Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { fieldsOf } from "../vendor-text/fields.ts";
import { noSuchAccount, ofAccount } from "./account-argument.ts";
import { CannotRun, type Report, tableText } from "./report.ts";

/** E.164 without `+`, as vendors write it. */
function numberOf(text: string): string {
  const digits = text.replaceAll(/[\s+().-]/g, "");
  if (/^[1-9]\d{6,14}$/.test(digits)) return digits;
  throw new CannotRun(`"${text}" is not a number like +2347000000009`);
}

const view = ({ number, mode, provider, accountId }: OwnedChatNumber) => ({
  number: `+${number}`,
  mode,
  provider,
  account: encodeId("acc", accountId),
});

export const chatNumbersList = (db: Db, accountId: Uuid | undefined): Promise<Report> =>
  ofAccount(db, accountId, () => list(db, accountId));

async function list(db: Db, accountId: Uuid | undefined): Promise<Report> {
  const numbers = (await listChatNumbers(db, accountId)).map(view);
  return {
    ok: true,
    json: { numbers },
    text:
      numbers.length === 0
        ? "No chat number belongs to an account. A test account gets one from the simulator at its first use."
        : tableText(
            ["NUMBER", "MODE", "PROVIDER", "ACCOUNT"],
            numbers.map(({ number, mode, provider, account }) => [number, mode, provider, account]),
          ),
  };
}

export interface WantedChatNumber {
  readonly accountId: Uuid;
  readonly text: string;
  readonly provider: string;
  readonly at: Date;
}

/** Assigns a number to an account: its outgoing chat messages use it, and incoming ones are the account's. */
export async function chatNumbersAssign(
  db: Database,
  file: ConfigFile,
  actor: Actor,
  { accountId, text, provider, at }: WantedChatNumber,
): Promise<Report> {
  const route = file.routes.find((one) => one.provider === provider && one.service === "chat");
  if (!route) throw new CannotRun(`"${provider}" has no route for chat in the configuration.`);
  const configured = numbersOf(file, provider);
  if (configured && !configured.includes(numberOf(text)))
    throw new CannotRun(
      `+${numberOf(text)} is not among the numbers of "${provider}" in the configuration: ${configured.map((one) => `+${one}`).join(", ")}.`,
    );
  const wanted: OwnedChatNumber = { number: numberOf(text), mode: modeOf(file, provider), provider, accountId };
  const owner = await giveChatNumber(db, wanted, at, actor);
  if (owner === undefined) throw new CannotRun(noSuchAccount(accountId).detail);
  const shown = view({ ...wanted, accountId: owner });
  const { number, mode, account } = shown;
  const release = `./afara chat-numbers release --number ${number} --mode ${mode}`;
  return owner === accountId
    ? { ok: true, json: { ok: true, ...shown }, text: `${number} (${mode}) belongs to ${account}.` }
    : {
        ok: false,
        json: { ok: false, ...shown },
        text: `${number} (${mode}) belongs to ${account}. To reassign it, release it first: ${release}`,
      };
}

/** The numbers in the provider's settings; undefined for a simulator, which has its own. */
function numbersOf({ providers }: ConfigFile, provider: string): readonly string[] | undefined {
  const numbers: unknown = providers[provider]?.settings?.numbers;
  return Array.isArray(numbers) ? numbers.map((one: unknown) => numberOf(String(fieldsOf(one).number))) : undefined;
}

/** A simulator's numbers are for test mode, a vendor's for live mode. */
const modeOf = ({ providers }: ConfigFile, provider: string): Mode =>
  providers[provider]?.simulator ? "test" : "live";

export async function chatNumbersRelease(db: Database, actor: Actor, text: string, mode: Mode): Promise<Report> {
  const number = numberOf(text);
  const owner = await releaseChatNumber(db, number, mode, actor);
  const shown = { number: `+${number}`, mode };
  return owner === undefined
    ? { ok: false, json: { ok: false, ...shown }, text: `No account has +${number} (${mode}).` }
    : {
        ok: true,
        json: { ok: true, ...shown, account: encodeId("acc", owner) },
        text: `+${number} (${mode}) is free. ${encodeId("acc", owner)} had it and keeps the messages it received; its windows are closed.`,
      };
}
