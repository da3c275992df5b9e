import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import type { ManualTransfer } from "../wallet/manual-transfers.ts";
import { accountOption, modeOption, naira } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface WalletOptions extends JsonOption {
  readonly account: Uuid;
  readonly mode: Mode;
}

interface MoveOptions extends WalletOptions {
  readonly amount: Kobo;
  readonly reason: string;
  readonly id?: string;
}

const WALLET = "--account acc_01k9z3v1h8e4rb2m6t0c5w7xyd --mode live";

const code = () => import("./wallet.command.ts");

export function walletCommands({ group, command, onDatabase }: Cli): void {
  const wallet = group("wallet", "an account's money: show, credit, debit");
  command(wallet, "show", "balance, held and available", [`./afara wallet show ${WALLET}`])
    .addOption(accountOption())
    .addOption(modeOption())
    .action(({ account, mode, ...options }: WalletOptions) =>
      onDatabase(options, async ({ db }) => (await code()).walletShow(db, account, mode)),
    );

  const move = (kind: ManualTransfer["kind"], description: string, reason: string) =>
    command(wallet, kind, description, [
      `./afara wallet ${kind} ${WALLET} --amount 200.00 --reason "${reason}"`,
      `./afara wallet ${kind} ${WALLET} --amount 200.00 --reason "${reason}" --id bank-2026-11-28-0017`,
    ])
      .addOption(accountOption())
      .addOption(modeOption())
      .requiredOption("--amount <naira>", "e.g. 200.00", naira)
      .requiredOption("--reason <text>", "for the subscriber's statement and the audit log")
      .option("--id <id>", "your own ID, e.g. from the bank statement; the same ID moves money only once")
      .action(({ account: accountId, mode, amount: amountKobo, reason: given, id: name, ...options }: MoveOptions) =>
        onDatabase(options, async ({ db, operator, clock }) =>
          (await code()).walletMove(db, clock, operator, { kind, accountId, mode, amountKobo, reason: given, name }),
        ),
      );
  move("credit", "put money into a wallet", "bank transfer of 28 November");
  move("debit", "take available money out of a wallet", "paid back to the bank account");
}
