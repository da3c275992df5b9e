import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { accountId, accountOption, modeOption } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface NumberOptions extends JsonOption {
  readonly number: string;
  readonly mode: Mode;
}

const ID = "acc_01kb3v9q4ze1xb8m6t2r5y7w0n";
const code = () => import("./numbers.command.ts");

export function numbersCommands({ group, command, onDatabase }: Cli): void {
  const numbers = group("numbers", "numbers and short codes that handsets write to: list, assign, release");
  command(numbers, "list", "numbers and their accounts, and unassigned numbers that received messages", [
    "./afara numbers list",
    `./afara numbers list --account ${ID} --json`,
  ])
    .option("--account <id>", "only this account's", accountId)
    .action((options: JsonOption & { readonly account?: Uuid }) =>
      onDatabase(options, async ({ db, clock }) => (await code()).numbersList(db, options.account, clock.now())),
    );
  command(numbers, "assign", "assign a number and its incoming messages to an account", [
    `./afara numbers assign --account ${ID} --number 32811 --mode live`,
  ])
    .addOption(accountOption())
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .addOption(modeOption())
    .action((options: NumberOptions & { readonly account: Uuid }) =>
      onDatabase(options, async ({ db, operator }) =>
        (await code()).numbersAssign(db, operator, {
          accountId: options.account,
          text: options.number,
          mode: options.mode,
        }),
      ),
    );
  command(numbers, "release", "release a number from its account", [
    "./afara numbers release --number 32811 --mode live",
  ])
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .addOption(modeOption())
    .action((options: NumberOptions) =>
      onDatabase(options, async ({ db, operator }) =>
        (await code()).numbersRelease(db, operator, options.number, options.mode),
      ),
    );
}
