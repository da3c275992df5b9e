import type { Cli, JsonOption } from "./cli.ts";
import { doctor } from "./doctor.command.ts";
import { ledgerCheck } from "./ledger.command.ts";
import { migrateNow } from "./migrate.command.ts";

/** What a gateway is made of: its surroundings, its schema, its books. */
export function coreCommands({ program, surroundings, group, command, show, onDatabase }: Cli): void {
  command(program, "doctor", "look at all that a gateway needs, and say how to mend it").action((options: JsonOption) =>
    show(doctor(surroundings), options),
  );
  command(program, "migrate", "apply missing migrations, as a starting gateway does").action((options: JsonOption) =>
    onDatabase(options, ({ connection }) => migrateNow(connection, surroundings.root)),
  );
  command(group("ledger", "money: check"), "check", "prove that every balance, hold and order agree").action(
    (options: JsonOption) => onDatabase(options, ({ db }) => ledgerCheck(db)),
  );
}
