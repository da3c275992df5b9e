import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { accountId, accountOption, modeOption } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";
import { numbersAssign, numbersList, numbersRelease } from "./numbers.command.ts";

interface NumberOptions extends JsonOption {
  readonly number: string;
  readonly mode: Mode;
}

export function numbersCommands({ group, command, onDatabase, surroundings }: Cli): void {
  const numbers = group("numbers", "numbers and short codes that handsets write to: list, assign, release");
  command(numbers, "list", "which number is whose, and which ones handsets write to that nobody has")
    .option("--account <id>", "of one account only", accountId)
    .action((options: JsonOption & { readonly account?: Uuid }) =>
      onDatabase(options, ({ db }) => numbersList(db, options.account, surroundings.clock.now())),
    );
  command(numbers, "assign", "give an account what handsets write to a number", [
    "./afara numbers assign --account acc_01kb3v9q4ze1xb8m6t2r5y7w0n --number 32811 --mode live",
  ])
    .addOption(accountOption())
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .addOption(modeOption())
    .action((options: NumberOptions & { readonly account: Uuid }) =>
      onDatabase(options, async ({ db, operator }) =>
        numbersAssign(db, operator, {
          accountId: options.account,
          text: options.number,
          mode: options.mode,
        }),
      ),
    );
  command(numbers, "release", "take a number back")
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .addOption(modeOption())
    .action((options: NumberOptions) =>
      onDatabase(options, async ({ db, operator }) => numbersRelease(db, operator, options.number, options.mode)),
    );
}
