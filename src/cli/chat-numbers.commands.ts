import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { accountId, accountOption, modeOption } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

const ID = "acc_01kb3v9q4ze1xb8m6t2r5y7w0n";
const code = () => import("./chat-numbers.command.ts");

export function chatNumbersCommands({ group, command, onDatabase }: Cli): void {
  const numbers = group("chat-numbers", "numbers that accounts write chat messages from: list, assign, release");
  command(numbers, "list", "chat numbers and their accounts", [
    "./afara chat-numbers list",
    `./afara chat-numbers list --account ${ID} --json`,
  ])
    .option("--account <id>", "only this account's", accountId)
    .action((options: JsonOption & { readonly account?: Uuid }) =>
      onDatabase(options, async ({ db }) => (await code()).chatNumbersList(db, options.account)),
    );
  command(numbers, "assign", "assign a chat number and its incoming messages to an account", [
    `./afara chat-numbers assign --account ${ID} --number +2347000000009 --provider whatsapp-cloud`,
  ])
    .addOption(accountOption())
    .requiredOption("--number <number>", "a number like +2347000000009")
    .requiredOption("--provider <name>", "the provider's name under `providers` in the configuration")
    .action((options: JsonOption & { readonly account: Uuid; readonly number: string; readonly provider: string }) =>
      onDatabase(options, async ({ db, config, operator, clock }) =>
        (await code()).chatNumbersAssign(db, config.file, operator, {
          accountId: options.account,
          text: options.number,
          provider: options.provider,
          at: clock.now(),
        }),
      ),
    );
  command(numbers, "release", "release a chat number from its account; its open windows are closed", [
    "./afara chat-numbers release --number +2347000000009 --mode live",
  ])
    .requiredOption("--number <number>", "a number like +2347000000009")
    .addOption(modeOption())
    .action((options: JsonOption & { readonly number: string; readonly mode: Mode }) =>
      onDatabase(options, async ({ db, operator }) =>
        (await code()).chatNumbersRelease(db, operator, options.number, options.mode),
      ),
    );
}
