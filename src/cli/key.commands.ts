import { SCOPES } from "../accounts/key-record.ts";
import { type KeyChanges, OVERLAP_SECONDS } from "../accounts/manage-keys.ts";
import { onOffer } from "../app.ts";
import type { Uuid } from "../kernel/ids.ts";
import type { Kobo } from "../kernel/kobo.ts";
import type { Mode } from "../kernel/mode.ts";
import { accountOption, duration, keyId, modeOption, naira, time } from "./arguments.ts";
import { type Cli, type JsonOption, repeated, type Session } from "./cli.ts";
import { keyCreate, keyList, keyRevoke, keyRoll, keySet } from "./key.command.ts";
import { CannotRun } from "./report.ts";
import { hasherOf } from "./secret.ts";

interface CreateOptions extends JsonOption {
  readonly account: Uuid;
  readonly mode: Mode;
  readonly service?: readonly string[];
  readonly scope?: readonly string[];
  readonly ip?: readonly string[];
  readonly expires?: Date;
  readonly spendCap?: Kobo;
}

/** Commander gives `true` where neither an option nor its `--no-` was used, and `false` for the latter. */
interface SetOptions extends JsonOption {
  readonly spendCap?: Kobo | boolean;
  readonly ip?: readonly string[] | boolean;
}

const ACCOUNT = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";
const KEY = "key_01k9z3w5n2f7tc8p4v1d6x9yze";

export function keyCommands({ surroundings, group, command, onDatabase }: Cli): void {
  const key = group("key", "API keys: create, list, set, roll, revoke");
  const manager = async ({ db, config }: Session) => ({
    db,
    clock: surroundings.clock,
    config: onOffer(config.file),
    hashKey: await hasherOf(db, config),
  });

  command(key, "create", "a new key, shown this once", [
    `./afara key create --account ${ACCOUNT} --mode test`,
    `./afara key create --account ${ACCOUNT} --mode live --service sms --scope send --ip 203.0.113.0/24 --spend-cap 5000.00`,
    `./afara key create --account ${ACCOUNT} --mode live --expires 2027-01-31T23:00:00Z --json`,
  ])
    .addOption(accountOption())
    .addOption(modeOption())
    .option("--service <name>", "limit it to this service; may be repeated (all)", repeated)
    .option("--scope <scope>", `${SCOPES.join(", ")}; may be repeated (all)`, repeated)
    .option("--ip <cidr>", "limit it to this address or block; may be repeated (any)", repeated)
    .option("--expires <time>", "when it ends, e.g. 2027-01-31T23:00:00Z (never)", time)
    .option("--spend-cap <naira>", "what it may spend in a day in Lagos (no cap)", naira)
    .action((options: CreateOptions) =>
      onDatabase(options, async (session) =>
        keyCreate(await manager(session), session.operator, {
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
  command(key, "list", "an account's keys, the newest first", [`./afara key list --account ${ACCOUNT}`])
    .addOption(accountOption())
    .action((options: JsonOption & { readonly account: Uuid }) =>
      onDatabase(options, ({ db }) => keyList(db, options.account, surroundings.clock.now())),
    );
  command(key, "roll", "a new key with the same terms; the old one goes on for a while", [
    `./afara key roll ${KEY}`,
    `./afara key roll ${KEY} --overlap 7d --json`,
  ])
    .argument("<id>", "key_…", keyId)
    .option("--overlap <time>", "how long the old key works on, 0 to 7d (1d)", duration)
    .action((id: Uuid, { overlap = OVERLAP_SECONDS.default, ...options }: JsonOption & { readonly overlap?: number }) =>
      onDatabase(options, async (session) => keyRoll(await manager(session), session.operator, id, overlap)),
    );
  command(key, "set", "change where a key may be used from and what it may spend in a day", [
    `./afara key set ${KEY} --spend-cap 20000.00`,
    `./afara key set ${KEY} --no-spend-cap`,
    `./afara key set ${KEY} --ip 203.0.113.0/24 --ip 198.51.100.7`,
    `./afara key set ${KEY} --no-ip`,
  ])
    .argument("<id>", "key_…", keyId)
    .option("--spend-cap <naira>", "what it may spend in a day in Lagos", naira)
    .option("--no-spend-cap", "as much as the wallet has")
    .option(
      "--ip <cidr>",
      "only from this address or block; may be repeated, and takes the place of those before",
      repeated,
    )
    .option("--no-ip", "from any address")
    .action((id: Uuid, options: SetOptions) =>
      onDatabase(options, async (session) => {
        const changes: KeyChanges = {
          ...(options.spendCap !== undefined &&
            options.spendCap !== true && { spendCapKobo: options.spendCap || null }),
          ...(options.ip !== undefined && options.ip !== true && { cidrs: options.ip || null }),
        };
        if (Object.keys(changes).length === 0)
          throw new CannotRun("Say what to change: --spend-cap, --no-spend-cap, --ip or --no-ip.");
        return keySet(await manager(session), session.operator, id, changes);
      }),
    );
  command(key, "revoke", "end a key for good; every node refuses it within 5 s", [
    `./afara key revoke ${KEY} --reason "it was in a public repository"`,
  ])
    .argument("<id>", "key_…", keyId)
    .option("--reason <text>", "why, for the audit log")
    .action((id: Uuid, options: JsonOption & { readonly reason?: string }) =>
      onDatabase(options, ({ db, operator }) =>
        keyRevoke({ db, clock: surroundings.clock }, operator, id, options.reason),
      ),
    );
}
