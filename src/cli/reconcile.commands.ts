import { InvalidArgumentError } from "commander";
import { type Moment, momentOr } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";
import type { StatementColumns } from "./reconcile.command.ts";

function column(text: string, before: StatementColumns = {}): StatementColumns {
  const [, name, heading] = /^(reference|id|amount|cost|status|at)=(.+)$/.exec(text) ?? [];
  if (name === undefined || heading === undefined)
    throw new InvalidArgumentError("Give reference, id, amount, cost, status or at, e.g. cost=Total Charged.");
  return { ...before, [name]: heading };
}

export function reconcileCommands({ program, command, onDatabase }: Cli): void {
  command(
    program,
    "reconcile",
    "compare our records with a vendor's statement; each difference opens a case, with exit code 1",
    [
      "./afara reconcile --provider vtpass --statement october.csv",
      "./afara reconcile --provider vtpass --statement october.csv --from 2026-10-01 --to 2026-10-31 --json",
      './afara reconcile --provider reloadly --statement day.csv --column cost="Amount Debited"',
    ],
  )
    .requiredOption("--provider <name>", "the vendor's name in the configuration")
    .requiredOption("--statement <file>", "the CSV export of the vendor's dashboard")
    .option(
      "--from <time>",
      "start of the period it covers: 30d, a day in Lagos (2026-11-28, today, yesterday) or a time (default: its first line's)",
      momentOr("from"),
    )
    .option("--to <time>", "end of the period it covers (default: its last line's)", momentOr("to"))
    .option("--column <name=heading>", "the statement's heading for a column; may be repeated", column)
    .action(
      ({
        json,
        provider,
        statement,
        from,
        to,
        ...more
      }: JsonOption & {
        readonly provider: string;
        readonly statement: string;
        readonly from?: Moment;
        readonly to?: Moment;
        readonly column?: StatementColumns;
      }) =>
        onDatabase({ ...(json && { json }) }, async ({ db, config, clock }) =>
          (await import("./reconcile.command.ts")).reconcile(db, config.file, {
            provider,
            path: statement,
            at: clock.now(),
            ...(from && { from: from(clock.now()) }),
            ...(to && { to: to(clock.now()) }),
            ...more,
          }),
        ),
    );
}
