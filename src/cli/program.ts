import { Command, CommanderError } from "commander";
import type { Config } from "../config.ts";
import type { Connection, Database } from "../db/database.ts";
import { doctor } from "./doctor.command.ts";
import { ledgerCheck } from "./ledger.command.ts";
import { migrateNow } from "./migrate.command.ts";
import { ordersShow, ordersStuck } from "./orders.command.ts";
import { providersPause, providersResume, providersStatus } from "./providers.command.ts";
import type { Report } from "./report.ts";
import { type Surroundings, soundConfig, withDatabase } from "./session.ts";

/** Where a command's words go. */
export interface Output {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

interface Options {
  readonly json?: true;
}

const EXAMPLES = `
Examples:
  ./afara doctor
  ./afara ledger check --json
  ./afara orders show msg_01k9z3v1h8e4rb2m6t0c5w7xyd
  ./afara orders stuck
  ./afara providers status
  ./afara providers pause smsc-simulator --reason "maintenance until 14:00"

The database is that of the gateway with this data directory (AFARA_DATA_DIR), or the one that DATABASE_URL names.
Exit codes: 0 as it should be · 1 found otherwise · 2 could not find out.`;

/** Runs one command line (without the program's name) and resolves with the exit code. */
export async function runCli(args: readonly string[], surroundings: Surroundings, output: Output): Promise<number> {
  let exitCode = 0;
  const show = async (found: Promise<Report>, { json }: Options) => {
    const report = await found;
    output.print(json ? JSON.stringify(report.json, null, 2) : report.text);
    exitCode = report.ok ? 0 : 1;
  };
  const onDatabase = async (act: (db: Database, config: Config, connection: Connection) => Promise<Report>) => {
    const config = await soundConfig(surroundings);
    return withDatabase(config, (db, connection) => act(db, config, connection));
  };

  // Subcommands inherit these settings when they are made, so they come first.
  const program = new Command("./afara")
    .description("Looks after a running Afara gateway.")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => output.complain(text.trimEnd()),
    })
    .showHelpAfterError("(./afara --help says more)")
    .addHelpText("after", EXAMPLES);
  const command = (parent: Command, usage: string, description: string) =>
    parent.command(usage).description(description).option("--json", "print JSON for programs");

  const ledger = program.command("ledger").description("money: check");
  command(ledger, "check", "prove that every balance, hold and order agree").action((options: Options) =>
    show(onDatabase(ledgerCheck), options),
  );

  const orders = program.command("orders").description("what subscribers pay for: show, stuck");
  command(orders, "show <id>", "one order with its timeline and its money").action((id: string, options: Options) =>
    show(
      onDatabase((db) => ordersShow(db, id)),
      options,
    ),
  );
  command(orders, "stuck", "orders that a working gateway would have moved by now").action((options: Options) =>
    show(onDatabase(ordersStuck), options),
  );

  const providers = program.command("providers").description("vendors: status, pause, resume");
  command(providers, "status", "the configured providers: which are connected, and which are paused").action(
    (options: Options) =>
      show(
        onDatabase((db, { file }) => providersStatus(db, file)),
        options,
      ),
  );
  command(providers, "pause <name>", "hand out no more orders to a provider")
    .requiredOption("--reason <text>", "why, for whoever looks next")
    .action((name: string, options: Options & { readonly reason: string }) =>
      show(
        onDatabase((db, { file }) => providersPause(db, file, name, options.reason)),
        options,
      ),
    );
  command(providers, "resume <name>", "undo a pause").action((name: string, options: Options) =>
    show(
      onDatabase((db, { file }) => providersResume(db, file, name)),
      options,
    ),
  );

  command(program, "doctor", "look at all that a gateway needs, and say how to mend it").action((options: Options) =>
    show(doctor(surroundings), options),
  );
  command(program, "migrate", "apply missing migrations, as a starting gateway does").action((options: Options) =>
    show(
      onDatabase((_db, _config, connection) => migrateNow(connection, surroundings.root)),
      options,
    ),
  );

  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2; // commander has said what is wrong
    output.complain(error instanceof Error ? error.message : String(error));
    return 2;
  }
}
