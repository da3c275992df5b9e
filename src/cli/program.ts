import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Command, CommanderError, type Option } from "commander";
import { accountCommands } from "./account.commands.ts";
import { auditCommands } from "./audit.commands.ts";
import { casesCommands } from "./cases.commands.ts";
import { chatNumbersCommands } from "./chat-numbers.commands.ts";
import type { Cli } from "./cli.ts";
import { coreCommands } from "./core.commands.ts";
import { dataCommands } from "./data.commands.ts";
import { keyCommands } from "./key.commands.ts";
import { listenCommands } from "./listen.commands.ts";
import { membersCommands } from "./members.commands.ts";
import { numbersCommands } from "./numbers.commands.ts";
import { operatorOf } from "./operator.ts";
import { operatorsCommands } from "./operators.commands.ts";
import { ordersCommands } from "./orders.commands.ts";
import { personalDataCommands } from "./personal-data.commands.ts";
import { printable } from "./printable.ts";
import { providersCommands } from "./providers.commands.ts";
import { reconcileCommands } from "./reconcile.commands.ts";
import { sendersCommands } from "./senders.commands.ts";
import type { Surroundings } from "./session.ts";
import { StrictCommand } from "./strict-command.ts";
import { subscriptionsCommands } from "./subscriptions.commands.ts";
import { topupsCommands } from "./topups.commands.ts";
import { walletCommands } from "./wallet.commands.ts";

/** Every group of commands, one line each. */
const GROUPS: readonly ((cli: Cli) => void)[] = [
  coreCommands,
  dataCommands,
  personalDataCommands,
  accountCommands,
  keyCommands,
  membersCommands,
  operatorsCommands,
  auditCommands,
  ordersCommands,
  casesCommands,
  providersCommands,
  reconcileCommands,
  numbersCommands,
  chatNumbersCommands,
  sendersCommands,
  walletCommands,
  topupsCommands,
  subscriptionsCommands,
  listenCommands,
];

/** Standard output and standard error of a command. */
export interface Output {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const EXIT_CODES =
  "Exit codes: 0 in order · 1 a problem was found, or the request was refused · 2 the command could not run.";

const EXAMPLES = `
Examples:
  ./afara doctor
  ./afara backup /mnt/backups/afara-2026-11-28.backup
  ./afara account create --name "Ikoyi Foods"
  ./afara ledger check --json
  ./afara orders show msg_01k9z3v1h8e4rb2m6t0c5w7xyd
  ./afara orders list --to 08031234567
  ./afara orders stuck
  ./afara cases list
  ./afara providers status
  ./afara providers pause smsc-simulator --reason "maintenance until 14:00"

The database is the one in AFARA_DATA_DIR, or the one that DATABASE_URL names.
${EXIT_CODES}`;

const helpHint = (path: string): string => `(${path} --help has details)`;

/** The gateway's version: the commands are part of it. */
const versionOf = (root: string): string =>
  (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

/** `./afara wallet credit`. */
const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

const choicesOf = ({ argChoices }: Option): string => (argChoices ? ` (${argChoices.join(", ")})` : "");

/** Runs one command line (without the program's name) and resolves with the exit code. */
export async function runCli(args: readonly string[], surroundings: Surroundings, output: Output): Promise<number> {
  let exitCode = 0;
  // Subcommands inherit these settings on creation, so they come first.
  const program = new StrictCommand("./afara")
    .description("Administers an Afara gateway.")
    .version(versionOf(surroundings.root), "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.print(text.trimEnd()),
      writeErr: (text) => output.complain(text.trimEnd()),
    })
    .configureHelp({
      optionDescription: (option) =>
        `${option.description}${option.mandatory ? " (required)" : ""}${choicesOf(option)}`,
    })
    .showHelpAfterError(helpHint("./afara"))
    .addHelpText("after", EXAMPLES);

  const show: Cli["show"] = async (found, { json }) => {
    const report = await found;
    output.print(printable(json ? JSON.stringify(report.json, null, 2) : report.text));
    exitCode = report.ok ? 0 : 1;
  };
  const cli: Cli = {
    program,
    surroundings,
    warn: output.complain,
    line: (text) => output.print(printable(text)),
    group(name, description) {
      const made = program.command(name).description(description);
      return made.showHelpAfterError(helpHint(pathOf(made)));
    },
    command(parent, usage, description, examples = []) {
      const made = parent.command(usage).description(description).option("--json", "print JSON for programs");
      if (examples.length > 0) made.addHelpText("after", `\nExamples:\n  ${examples.join("\n  ")}`);
      made.addHelpText("after", `\n${EXIT_CODES}`);
      return made.showHelpAfterError(helpHint(pathOf(made)));
    },
    show,
    async onDatabase(options, act) {
      const { soundConfig, withDatabase } = await import("./session.ts");
      const config = await soundConfig(surroundings, output.complain);
      const operator = operatorOf(surroundings);
      const { clock } = surroundings;
      await withDatabase(config, (db, connection) => show(act({ db, config, connection, clock, operator }), options));
    },
  };
  for (const addTo of GROUPS) addTo(cli);

  /** With `--json`, the reason is also on standard output. */
  const cannotRun = (detail: string): number => {
    if (args.includes("--json"))
      output.print(printable(JSON.stringify({ ok: false, code: "cannot_run", detail }, null, 2)));
    return 2;
  };

  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has already printed the error.
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : cannotRun(error.message.replace(/^error: /, ""));
    const detail = error instanceof Error ? error.message : String(error);
    output.complain(printable(detail));
    return cannotRun(detail);
  }
}
