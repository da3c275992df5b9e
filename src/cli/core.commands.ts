import type { Cli, JsonOption } from "./cli.ts";

/** Checks of the gateway's surroundings, schema and ledger. */
export function coreCommands({ program, surroundings, group, command, show, onDatabase }: Cli): void {
  command(program, "doctor", "check everything a gateway needs and say how to fix it", [
    "./afara doctor",
    "./afara doctor --json",
  ]).action(async (options: JsonOption) => show((await import("./doctor.command.ts")).doctor(surroundings), options));
  command(program, "migrate", "apply missing migrations, as a starting gateway does", ["./afara migrate"]).action(
    (options: JsonOption) =>
      onDatabase(options, async ({ connection }) =>
        (await import("./migrate.command.ts")).migrateNow(connection, surroundings.root),
      ),
  );
  command(group("ledger", "money: check"), "check", "prove that every balance, hold and order agree", [
    "./afara ledger check",
    "./afara ledger check --json",
  ]).action((options: JsonOption) =>
    onDatabase(options, async ({ db }) => (await import("./ledger.command.ts")).ledgerCheck(db)),
  );
}
