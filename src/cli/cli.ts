import type { Command } from "commander";
import type { Actor } from "../accounts/audit.repo.ts";
import type { Config } from "../config/gateway-config.ts";
import type { Connection, Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Report } from "./report.ts";
import type { Surroundings } from "./session.ts";

/** The database and surroundings of one command. */
export interface Session {
  readonly db: Database;
  readonly config: Config;
  readonly connection: Connection;
  readonly clock: Clock;
  /** The user of the command line, for the audit log. */
  readonly operator: Actor;
}

export interface JsonOption {
  readonly json?: true;
}

/**
 * The tools for defining a group of commands (`<group>.commands.ts`). These files are loaded for every help text, so they import
 * nothing heavy: an action imports its code (`<group>.command.ts`) when it is called.
 */
export interface Cli {
  readonly program: Command;
  readonly surroundings: Surroundings;
  /** Prints a warning to standard error. */
  readonly warn: (text: string) => void;
  /** A group of commands, e.g. `key`. */
  group(name: string, description: string): Command;
  /** A command with `--json` and with examples in its help. */
  command(parent: Command, usage: string, description: string, examples?: readonly string[]): Command;
  /** Prints a line to standard output, for a command that prints before it ends. */
  readonly line: (text: string) => void;
  /** Prints a report as text or JSON and sets the exit code from its `ok`. */
  show(report: Promise<Report>, options: JsonOption): Promise<void>;
  /** Runs `act` on the gateway's database and shows its report. */
  onDatabase(options: JsonOption, act: (session: Session) => Promise<Report>): Promise<void>;
}

/** Collects the values of a repeatable option. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
