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
    "compare our books with a vendor's statement; exit code 1 when they differ, each difference a case",
    [
      "./afara reconcile --provider vtpass --statement october.csv",
      "./afara reconcile --provider vtpass --statement october.csv --from 2026-10-01 --to 2026-10-31 --json",
      './afara reconcile --provider reloadly --statement day.csv --column cost="Amount Debited"',
    ],
  )
    .requiredOption("--provider <name>", "as in the configuration")
    .requiredOption("--statement <file>", "CSV, as the vendor's dashboard exports it")
    .option(
      "--from <time>",
      "from when on it covers all: 30d, a day in Lagos (2026-11-28, today, yesterday) or a time; its first line's unless given",
      momentOr("from"),
    )
    .option("--to <time>", "until when it covers all; its last line's unless given", momentOr("to"))
    .option("--column <name=heading>", "how the statement calls it; may be given several times", column)
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
