import { Option } from "commander";
import type { Uuid } from "../kernel/ids.ts";
import type { Mode } from "../kernel/mode.ts";
import { accountId } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface PersonOptions extends JsonOption {
  readonly phone: string;
  readonly account?: Uuid;
  readonly mode?: Mode;
}

const ID = "acc_01kb3v9q4ze1xb8m6t2r5y7w0n";
const code = () => import("./personal-data.command.ts");

export function personalDataCommands({ group, command, onDatabase }: Cli): void {
  const data = group("data", "what is kept about a phone number: export, erase");
  const ofPerson = (usage: string, description: string, examples: readonly string[]) =>
    command(data, usage, description, examples)
      .requiredOption("--phone <number>", "the person's number, like +2348031234567")
      .option("--account <id>", "only in this account", accountId)
      .addOption(new Option("--mode <mode>", "only this mode").choices(["live", "test"]));

  ofPerson("export", "write all that is kept about a number to a file, a JSON object a line", [
    "./afara data export --phone +2348031234567 --out person.jsonl",
    `./afara data export --phone 08031234567 --account ${ID} --mode live --out person.jsonl --json`,
  ])
    .requiredOption("--out <file>", "the new file; only you can read it")
    .action((options: PersonOptions & { readonly out: string }) =>
      onDatabase(options, async (session) => (await code()).dataExport(session, options)),
    );
  ofPerson("erase", "erase a number; amounts, states and opt-outs stay, and open orders follow when they end", [
    "./afara data erase --phone +2348031234567",
    "./afara data erase --phone +2348031234567 --yes",
    `./afara data erase --phone 08031234567 --account ${ID} --yes --json`,
  ])
    .option("--yes", "erase; without it, only count what would be erased")
    .action((options: PersonOptions & { readonly yes?: true }) =>
      onDatabase(options, async (session) => (await code()).dataErase(session, options)),
    );
}
