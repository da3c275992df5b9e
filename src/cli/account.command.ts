import { findAccount, listAccounts, type StoredAccount } from "../accounts/accounts.repo.ts";
import { listKeys } from "../accounts/keys.repo.ts";
import {
  type AccountChange,
  type AccountManager,
  changeAccount,
  createAccount,
  resumeAccount,
  suspendAccount,
} from "../accounts/manage-accounts.ts";
import { listSubscriptions } from "../accounts/subscriptions.repo.ts";
import { onOffer } from "../app/services.ts";
import type { Db } from "../db/database.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, koboToNaira, ZERO_KOBO } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { readWallet } from "../ledger/ledger.repo.ts";
import { makeSenders } from "../sms/senders.service.ts";
import { parseSender } from "../sms/sms.ts";
import { walletView } from "../wallet/wallet.view.ts";
import { noSuchAccount } from "./account-argument.ts";
import type { Session } from "./cli.ts";
import { CannotRun, type Report, refusedReport, tableText } from "./report.ts";

const managerOf = ({ db, config, clock }: Session): AccountManager => ({ db, config: onOffer(config.file), clock });

export async function accountCreate(session: Session, name: string): Promise<Report> {
  const created = await createAccount(managerOf(session), session.operator, name);
  if (!created.ok) return refusedReport(created.error);
  const id = encodeId("acc", created.value.id);
  const next = `Next: ./afara subscribe --account ${id} --service sms --plan free, then ./afara key create --account ${id} --mode test`;
  return { ok: true, json: { id }, text: `${name.trim()} is account ${id}.\n${next}` };
}

export async function accountList(db: Db): Promise<Report> {
  const accounts = await listAccounts(db);
  const rows = accounts.map((account) => [
    encodeId("acc", account.id),
    account.suspendedAt ? "suspended" : "active",
    account.createdAt.toISOString(),
    account.name,
  ]);
  return {
    ok: true,
    json: { accounts: accounts.map(accountView) },
    text: accounts.length > 0 ? tableText(["ACCOUNT", "STATE", "CREATED", "NAME"], rows) : NO_ACCOUNTS,
  };
}

const NO_ACCOUNTS = 'No account yet: ./afara account create --name "Name of the company"';

/** One account with its plans, its wallets in both modes, and the number of its keys. */
export async function accountShow(db: Db, id: Uuid): Promise<Report> {
  const account = await findAccount(db, id);
  if (!account) return refusedReport(noSuchAccount(id));
  const subscriptions = await listSubscriptions(db, id);
  const keys = (await listKeys(db, id)).filter(({ revokedAt }) => revokedAt === null).length;
  const wallets = { live: await walletReport(db, id, "live"), test: await walletReport(db, id, "test") };
  const rows = [
    ["NAME", account.name],
    ["STATE", account.suspendedAt ? `suspended since ${account.suspendedAt.toISOString()}` : "active"],
    ["CREATED", account.createdAt.toISOString()],
    ["PLANS", subscriptions.map(({ service, plan }) => `${service}: ${plan}`).join(", ") || "none"],
    ["LIVE WALLET", wallets.live.text],
    ["TEST WALLET", wallets.test.text],
    ["SENDER", account.defaultSender ?? "the configuration's"],
    ["LOW BALANCE", account.lowBalanceKobo === null ? "no event" : `below ${koboForPeople(account.lowBalanceKobo)}`],
    ["KEYS", String(keys)],
  ];
  return {
    ok: true,
    json: {
      ...accountView(account),
      subscriptions: subscriptions.map(({ service, plan }) => ({ service, plan })),
      wallets: { live: wallets.live.json, test: wallets.test.json },
      keys,
    },
    text: tableText(["ACCOUNT", encodeId("acc", id)], rows),
  };
}

export async function accountSuspend(session: Session, id: Uuid, reason: string): Promise<Report> {
  const suspended = await suspendAccount(managerOf(session), session.operator, id, reason);
  return suspended.ok
    ? shown(suspended.value, "is suspended: its keys are refused within 5 s, and its unsent orders fail")
    : refusedReport(suspended.error);
}

export async function accountResume(session: Session, id: Uuid): Promise<Report> {
  const resumed = await resumeAccount(managerOf(session), session.operator, id);
  return resumed.ok ? shown(resumed.value, "is active") : refusedReport(resumed.error);
}

export async function accountSet(session: Session, id: Uuid, change: AccountChange): Promise<Report> {
  const sender = change.defaultSender ? parseSender(change.defaultSender) : undefined;
  if (sender?.ok === false)
    throw new CannotRun(
      `error: option '--default-sender <sender>' argument '${change.defaultSender}' is invalid. ${sender.error.detail}`,
    );
  const changed = await changeAccount(managerOf(session), session.operator, id, change);
  if (!changed.ok) return refusedReport(changed.error);
  const report = shown(changed.value, "is changed");
  if (!change.defaultSender || (await maySend(session, id, change.defaultSender))) return report;
  const warning = `"${change.defaultSender}" is not approved for this account: until it is (./afara senders list), live messages that name no sender are refused.`;
  return { ...report, json: { ...accountView(changed.value), warning }, text: `${report.text}\n${warning}` };
}

/** Whether the account's live messages may carry the sender. */
async function maySend({ db, config, clock }: Session, accountId: Uuid, sender: string): Promise<boolean> {
  const { defaultSender = sender, approvedSenders: openSenders = [] } = config.file.services.sms ?? {};
  const rule = await makeSenders({ db, clock, defaultSender, openSenders }).ruleFor({ accountId, mode: "live" });
  return rule(sender, "transactional", null) === undefined;
}

const shown = (account: StoredAccount, how: string): Report => ({
  ok: true,
  json: accountView(account),
  text: `${account.name} (${encodeId("acc", account.id)}) ${how}.`,
});

const accountView = ({ id, name, suspendedAt, defaultSender, lowBalanceKobo, createdAt }: StoredAccount) => ({
  id: encodeId("acc", id),
  name,
  state: suspendedAt ? "suspended" : "active",
  suspended_at: suspendedAt?.toISOString() ?? null,
  default_sender: defaultSender,
  low_balance: lowBalanceKobo === null ? null : koboToNaira(lowBalanceKobo),
  created_at: createdAt.toISOString(),
});

async function walletReport(db: Db, id: Uuid, mode: Mode) {
  const wallet = await readWallet(db, id, mode);
  const { availableKobo = ZERO_KOBO, heldKobo = ZERO_KOBO } = wallet ?? {};
  return {
    json: walletView(mode, wallet),
    text: `${koboForPeople(availableKobo)} available, ${koboForPeople(heldKobo)} held`,
  };
}
