import type { Uuid } from "../kernel/ids.ts";
import { accountId, accountOption } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface DecideOptions extends JsonOption {
  readonly account: Uuid;
  readonly sender: string;
  readonly network: string;
  readonly reason?: string;
}

const ID = "acc_01kb3v9q4ze1xb8m6t2r5y7w0n";
const code = () => import("./senders.command.ts");

export function sendersCommands({ group, command, onDatabase }: Cli): void {
  const senders = group("senders", "sender IDs of live messages: list, approve, refuse");
  command(senders, "list", "who may use which sender ID, on which network", [
    "./afara senders list",
    `./afara senders list --account ${ID} --json`,
  ])
    .option("--account <id>", "only this account's", accountId)
    .action((options: JsonOption & { readonly account?: Uuid }) =>
      onDatabase(options, async ({ db }) => (await code()).sendersList(db, options.account)),
    );

  const decide = (name: string, description: string, approval: "approved" | "refused", why: string, more = "") =>
    command(senders, name, description, [`./afara senders ${name} --account ${ID} --sender Acme --network all${more}`])
      .addOption(accountOption())
      .requiredOption("--sender <name>", "the sender ID (case-insensitive)")
      .requiredOption("--network <name>", "mtn, airtel, glo, 9mobile or all")
      .option("--reason <text>", why)
      .action((options: DecideOptions) =>
        onDatabase(options, async ({ db, operator, clock }) =>
          (await code()).sendersDecide(db, clock, operator, {
            accountId: options.account,
            sender: options.sender,
            network: options.network,
            approval,
            reason: options.reason,
          }),
        ),
      );
  decide("approve", "allow a sender ID for an account's live messages", "approved", "why, for the audit log");
  decide(
    "refuse",
    "refuse a sender ID, or withdraw its approval",
    "refused",
    "why, as shown to the account",
    ' --reason "name of a bank"',
  );
}
