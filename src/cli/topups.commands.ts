import type { Cli, JsonOption } from "./cli.ts";

interface CloseOptions extends JsonOption {
  readonly reason: string;
}

const code = () => import("./topups.command.ts");

export function topupsCommands({ group, command, onDatabase }: Cli): void {
  const topups = group("topups", "payments that no rule could credit: kept, close");
  command(topups, "kept", "payments that need a decision; exit code 1 while there are any", [
    "./afara topups kept",
    "./afara topups kept --json",
  ]).action((options: JsonOption) => onDatabase(options, async ({ db }) => (await code()).topupsKept(db)));
  command(topups, "close <reference>", "close a payment after crediting or refunding it manually", [
    './afara topups close T1001 --reason "credited to acc_01k9z3v1h8e4rb2m6t0c5w7xyd"',
  ])
    .requiredOption("--reason <text>", "what you did (for the audit log)")
    .action((reference: string, { reason, ...options }: CloseOptions) =>
      onDatabase(options, async ({ db, operator }) => (await code()).topupsClose(db, operator, reference, reason)),
    );
}
