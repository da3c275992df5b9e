import { findAccount } from "../accounts/accounts.repo.ts";
import type { Actor } from "../accounts/audit.repo.ts";
import type { Database, Db } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import { encodeId, type Uuid } from "../kernel/ids.ts";
import { koboForPeople, ZERO_KOBO } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { moneyOf } from "../kernel/money.ts";
import { readWallet, type WalletBalance } from "../ledger/ledger.repo.ts";
import { type ManualTransfer, moveByHand } from "../wallet/manual-transfers.ts";
import { walletView } from "../wallet/wallet.view.ts";
import { noSuchAccount } from "./account-argument.ts";
import { type Report, refusedReport, tableText } from "./report.ts";

const EMPTY: WalletBalance = { balanceKobo: ZERO_KOBO, heldKobo: ZERO_KOBO, availableKobo: ZERO_KOBO };

/** The wallet as `GET /wallet` shows it. */
export async function walletShow(db: Db, accountId: Uuid, mode: Mode): Promise<Report> {
  const account = encodeId("acc", accountId);
  if (!(await findAccount(db, accountId))) return refusedReport(noSuchAccount(accountId));
  const wallet = (await readWallet(db, accountId, mode)) ?? EMPTY;
  return {
    ok: true,
    json: walletView(mode, wallet),
    text: tableText(
      ["WALLET", `${account}, ${mode}`],
      [
        ["BALANCE", koboForPeople(wallet.balanceKobo)],
        ["HELD", koboForPeople(wallet.heldKobo)],
        ["AVAILABLE", koboForPeople(wallet.availableKobo)],
      ],
    ),
  };
}

export async function walletMove(db: Database, clock: Clock, actor: Actor, transfer: ManualTransfer): Promise<Report> {
  const moved = await moveByHand({ db, clock }, actor, transfer);
  if (!moved.ok) return refusedReport(moved.error);
  const { id, repeated, wallet } = moved.value;
  const amount = koboForPeople(transfer.amountKobo);
  const did = repeated
    ? `Nothing to do: this ${transfer.kind} of ${amount} was already made.`
    : `${amount} ${transfer.kind === "credit" ? "credited to" : "debited from"} the ${transfer.mode} wallet.`;
  return {
    ok: true,
    json: {
      id: encodeId("trf", id),
      repeated,
      amount: moneyOf(transfer.amountKobo),
      ...walletView(transfer.mode, wallet),
    },
    text: `${did} ${koboForPeople(wallet.availableKobo)} is available.`,
  };
}
