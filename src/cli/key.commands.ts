import { InvalidArgumentError } from "commander";
import type { KeyChanges } from "../accounts/manage-keys.ts";
import { SCOPES } from "../accounts/scopes.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { accountOption, duration, modeOption, naira, time } from "./arguments.ts";
import { type Cli, type JsonOption, repeated } from "./cli.ts";
import { CannotRun } from "./report.ts";

interface CreateOptions extends JsonOption {
  readonly account: Uuid;
  readonly mode: Mode;
  readonly service?: readonly string[];
  readonly scope?: readonly string[];
  readonly ip?: readonly string[];
  readonly expires?: Date;
  readonly spendCap?: Kobo;
}

interface RollOptions extends JsonOption {
  readonly overlap?: number;
}

/** A cap of 0 most likely means "no cap". */
function spendCap(text: string): Kobo {
  const cap = naira(text);
  if (cap === 0n)
    throw new InvalidArgumentError(
      "A cap of 0 would refuse every payment: omit it for no cap (key set: --no-spend-cap), or give --scope read.",
    );
  return cap;
}

/** Commander gives `true` when neither an option nor its `--no-` form was used, and `false` for the latter. */
interface SetOptions extends JsonOption {
  readonly spendCap?: Kobo | boolean;
  readonly ip?: readonly string[] | boolean;
}

const ACCOUNT = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";
const KEY_ARGUMENT = "the key's ID (key_…), or the key itself";
const KEY = "key_01k9z3w5n2f7tc8p4v1d6x9yze";

const code = () => import("./key.command.ts");

export function keyCommands({ group, command, onDatabase }: Cli): void {
  const key = group("key", "API keys: create, list, show, set, roll, revoke");

  command(key, "create", "create a key; it is shown only once", [
    `./afara key create --account ${ACCOUNT} --mode test`,
    `./afara key create --account ${ACCOUNT} --mode live --service sms --scope send --ip 203.0.113.0/24 --spend-cap 5000.00`,
    `./afara key create --account ${ACCOUNT} --mode live --expires 2027-01-31T23:00:00Z --json`,
  ])
    .addOption(accountOption())
    .addOption(modeOption())
    .option("--service <name>", "limit to this service; may be repeated (default: all)", repeated)
    .option("--scope <scope>", `${SCOPES.join(", ")}; may be repeated (default: all)`, repeated)
    .option("--ip <cidr>", "limit to this address or CIDR block; may be repeated (default: any)", repeated)
    .option(
      "--expires <time>",
      "expiry: a day (its start in Lagos) or a time, e.g. 2027-01-31T23:00:00Z (default: never)",
      time,
    )
    .option("--spend-cap <naira>", "daily spend cap, by Lagos day (default: no cap)", spendCap)
    .action((options: CreateOptions) =>
      onDatabase(options, async (session) =>
        (await code()).keyCreate(session, {
          accountId: options.account,
          mode: options.mode,
          services: options.service ?? null,
          scopes: options.scope ?? SCOPES,
          cidrs: options.ip ?? null,
          expiresAt: options.expires ?? null,
          spendCapKobo: options.spendCap ?? null,
        }),
      ),
    );
  command(key, "list", "an account's keys, newest first", [`./afara key list --account ${ACCOUNT}`])
    .addOption(accountOption())
    .action((options: JsonOption & { readonly account: Uuid }) =>
      onDatabase(options, async (session) => (await code()).keyList(session, options.account)),
    );
  command(key, "show", "one key: its account and its permissions", [`./afara key show ${KEY}`])
    .argument("<key>", KEY_ARGUMENT)
    .action((named: string, options: JsonOption) =>
      onDatabase(options, async (session) => (await code()).keyShow(session, named)),
    );
  command(key, "roll", "create a key with the same terms; the old key keeps working for a while", [
    `./afara key roll ${KEY}`,
    `./afara key roll ${KEY} --overlap 7d --json`,
  ])
    .argument("<key>", KEY_ARGUMENT)
    .option("--overlap <time>", "how long the old key keeps working, 0 to 7d (default: 1d)", duration)
    .action((named: string, { overlap, ...options }: RollOptions) =>
      onDatabase(options, async (session) => (await code()).keyRoll(session, named, overlap)),
    );
  command(key, "set", "change a key's allowed addresses and daily spend cap", [
    `./afara key set ${KEY} --spend-cap 20000.00`,
    `./afara key set ${KEY} --no-spend-cap`,
    `./afara key set ${KEY} --ip 203.0.113.0/24 --ip 198.51.100.7`,
    `./afara key set ${KEY} --no-ip`,
  ])
    .argument("<key>", KEY_ARGUMENT)
    .option("--spend-cap <naira>", "daily spend cap, by Lagos day", spendCap)
    .option("--no-spend-cap", "remove the daily spend cap")
    .option(
      "--ip <cidr>",
      "allow only this address or CIDR block; may be repeated; replaces the previous list",
      repeated,
    )
    .option("--no-ip", "allow any address")
    .action((named: string, options: SetOptions) => {
      const changes: KeyChanges = {
        ...(options.spendCap !== undefined && options.spendCap !== true && { spendCapKobo: options.spendCap || null }),
        ...(options.ip !== undefined && options.ip !== true && { cidrs: options.ip || null }),
      };
      if (Object.keys(changes).length === 0)
        throw new CannotRun("Give at least one change: --spend-cap, --no-spend-cap, --ip or --no-ip.");
      return onDatabase(options, async (session) => (await code()).keySet(session, named, changes));
    });
  command(key, "revoke", "revoke a key permanently; every node refuses it within 5 s", [
    `./afara key revoke ${KEY} --reason "it was in a public repository"`,
  ])
    .argument("<key>", KEY_ARGUMENT)
    .option("--reason <text>", "why, for the audit log")
    .action((named: string, options: JsonOption & { readonly reason?: string }) =>
      onDatabase(options, async (session) => (await code()).keyRevoke(session, named, options.reason)),
    );
}
