import { accountIdOf } from "./account-id.ts";
import type { Cli, JsonOption } from "./cli.ts";
import { modeOf, numbersAssign, numbersList, numbersRelease } from "./numbers.command.ts";

interface NumberOptions extends JsonOption {
  readonly number: string;
  readonly mode: string;
}

export function numbersCommands({ group, command, onDatabase }: Cli): void {
  const numbers = group("numbers", "numbers and short codes that handsets write to: list, assign, release");
  command(numbers, "list", "which number is whose")
    .option("--account <id>", "of one account only")
    .action((options: JsonOption & { readonly account?: string }) =>
      onDatabase(options, async ({ db }) =>
        numbersList(db, options.account === undefined ? undefined : accountIdOf(options.account)),
      ),
    );
  command(numbers, "assign", "give an account what handsets write to a number", [
    "./afara numbers assign --account acc_01kb3v9q4ze1xb8m6t2r5y7w0n --number 32811 --mode live",
  ])
    .requiredOption("--account <id>", "who gets it")
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .requiredOption("--mode <mode>", "live or test")
    .action((options: NumberOptions & { readonly account: string }) =>
      onDatabase(options, async ({ db, operator }) =>
        numbersAssign(db, operator, {
          accountId: accountIdOf(options.account),
          text: options.number,
          mode: modeOf(options.mode),
        }),
      ),
    );
  command(numbers, "release", "take a number back")
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .requiredOption("--mode <mode>", "live or test")
    .action((options: NumberOptions) =>
      onDatabase(options, async ({ db, operator }) =>
        numbersRelease(db, operator, options.number, modeOf(options.mode)),
      ),
    );
}
