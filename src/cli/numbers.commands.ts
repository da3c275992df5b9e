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
  command(numbers, "list", "which number is whose, and which ones handsets write to that nobody has", [
    "./afara numbers list",
    `./afara numbers list --account ${ID} --json`,
  ])
    .option("--account <id>", "of one account only", accountId)
    .action((options: JsonOption & { readonly account?: Uuid }) =>
      onDatabase(options, async ({ db, clock }) => (await code()).numbersList(db, options.account, clock.now())),
    );
  command(numbers, "assign", "give an account what handsets write to a number", [
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
  command(numbers, "release", "take a number back", ["./afara numbers release --number 32811 --mode live"])
    .requiredOption("--number <number>", "a short code, or a number like +2348031234567")
    .addOption(modeOption())
    .action((options: NumberOptions) =>
      onDatabase(options, async ({ db, operator }) =>
        (await code()).numbersRelease(db, operator, options.number, options.mode),
      ),
    );
}
