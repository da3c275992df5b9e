import { InvalidArgumentError } from "commander";
import type { NotedRow } from "../accounts/audit.repo.ts";
import { count } from "./arguments.ts";
import type { ListOptions } from "./audit.command.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface VerifyOptions extends JsonOption {
  readonly noted?: NotedRow;
}

const LIMIT = 50;
const code = () => import("./audit.command.ts");

function noted(text: string): NotedRow {
  const [, number, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (number === undefined || hash === undefined)
    throw new InvalidArgumentError("Give a row's number and its hash as verify printed them: 1204:5b0f….");
  return { number: Number(number), hash };
}

export function auditCommands({ group, command, onDatabase }: Cli): void {
  const audit = group("audit", "the log of changes to keys, plans, money and vendors: list, verify");
  command(audit, "list", "the audit log, newest first", [
    "./afara audit list --limit 10",
    "./afara audit list --subject acc_01k9z3v1h8e4rb2m6t0c5w7xyd --json",
  ])
    .option("--subject <id>", "only changes to this account, key, vendor, …")
    .option("--limit <count>", "maximum number of entries", count, LIMIT)
    .action((options: JsonOption & ListOptions) =>
      onDatabase(options, async ({ db }) => (await code()).auditList(db, options)),
    );
  command(audit, "verify", "prove that no entry was changed or removed from the middle", [
    "./afara audit verify --json",
    "./afara audit verify --noted 1204:5b0f…",
  ])
    .option("--noted <row:hash>", "the last row, as an earlier verify printed it", noted)
    .action((options: VerifyOptions) =>
      onDatabase(options, async ({ db }) => (await code()).auditVerify(db, options.noted)),
    );
}
