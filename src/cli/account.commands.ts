import type { AccountChange } from "../accounts/manage-accounts.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import { accountId, naira } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";
import { CannotRun } from "./report.ts";

interface SetOptions extends JsonOption {
  readonly name?: string;
  readonly defaultSender?: string;
  readonly lowBalance?: Kobo | typeof NONE;
}

const ID = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";
/** Unsets a setting; commander can't pass null. */
const NONE = "none";

const code = () => import("./account.command.ts");

export function accountCommands({ group, command, onDatabase }: Cli): void {
  const account = group("account", "companies: create, list, show, set, suspend, resume");

  command(account, "create", "create an account, with play money in test mode", [
    './afara account create --name "Ikoyi Foods"',
    './afara account create --name "Ikoyi Foods" --json',
  ])
    .requiredOption("--name <name>", "the company's name")
    .action((options: JsonOption & { readonly name: string }) =>
      onDatabase(options, async (session) => (await code()).accountCreate(session, options.name)),
    );
  command(account, "list", "all accounts, newest first", [
    "./afara account list",
    "./afara account list --json",
  ]).action((options: JsonOption) => onDatabase(options, async ({ db }) => (await code()).accountList(db)));
  command(account, "show", "one account with its plans and wallets", [`./afara account show ${ID}`])
    .argument("<id>", "acc_…", accountId)
    .action((id: Uuid, options: JsonOption) =>
      onDatabase(options, async ({ db }) => (await code()).accountShow(db, id)),
    );
  command(account, "set", "change an account; options you leave out stay unchanged", [
    `./afara account set ${ID} --default-sender IkoyiFoods --low-balance 5000.00`,
    `./afara account set ${ID} --low-balance none`,
  ])
    .argument("<id>", "acc_…", accountId)
    .option("--name <name>", "the company's name")
    .option("--default-sender <sender>", "for SMS without a sender; `none` restores the configuration's default")
    .option("--low-balance <naira>", "threshold of the low-balance event; `none` turns it off", threshold)
    .action((id: Uuid, options: SetOptions) => {
      const change = changeOf(options);
      if (Object.keys(change).length === 0)
        throw new CannotRun("Give at least one change: --name, --default-sender or --low-balance.");
      return onDatabase(options, async (session) => (await code()).accountSet(session, id, change));
    });
  command(account, "suspend", "refuse an account's keys and fail its unsent orders", [
    `./afara account suspend ${ID} --reason "fraud report 118"`,
  ])
    .argument("<id>", "acc_…", accountId)
    .requiredOption("--reason <text>", "why, for the audit log")
    .action((id: Uuid, options: JsonOption & { readonly reason: string }) =>
      onDatabase(options, async (session) => (await code()).accountSuspend(session, id, options.reason)),
    );
  command(account, "resume", "undo a suspension", [`./afara account resume ${ID}`])
    .argument("<id>", "acc_…", accountId)
    .action((id: Uuid, options: JsonOption) =>
      onDatabase(options, async (session) => (await code()).accountResume(session, id)),
    );
}

function changeOf({ name, defaultSender, lowBalance }: SetOptions): AccountChange {
  return {
    ...(name !== undefined && { name }),
    ...(defaultSender !== undefined && { defaultSender: defaultSender === NONE ? null : defaultSender }),
    ...(lowBalance !== undefined && { lowBalanceKobo: lowBalance === NONE ? null : lowBalance }),
  };
}

const threshold = (text: string) => (text === NONE ? NONE : naira(text));
