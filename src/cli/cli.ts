import type { Command } from "commander";
import type { Actor } from "../accounts/audit.repo.ts";
import type { Config } from "../config/gateway-config.ts";
import type { Connection, Database } from "../db/database.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Report } from "./report.ts";
import type { Surroundings } from "./session.ts";

/** What each command gets of the database it was called for. */
export interface Session {
  readonly db: Database;
  readonly config: Config;
  readonly connection: Connection;
  readonly clock: Clock;
  /** Who is at the command line, for the audit log. */
  readonly operator: Actor;
}

export interface JsonOption {
  readonly json?: true;
}

/**
 * What a group of commands (`<group>.commands.ts`) is built with. These files say which commands there are and are read for every
 * help, so they import nothing heavy: an action imports its code (`<group>.command.ts`) when it is called.
 */
export interface Cli {
  readonly program: Command;
  readonly surroundings: Surroundings;
  /** Says something beside the report, on the standard error. */
  readonly warn: (text: string) => void;
  /** A group of commands, e.g. `key`. */
  group(name: string, description: string): Command;
  /** A command with `--json`, and with the examples that its help shows. */
  command(parent: Command, usage: string, description: string, examples?: readonly string[]): Command;
  /** Prints a report as text or JSON, and makes its `ok` the exit code. */
  show(report: Promise<Report>, options: JsonOption): Promise<void>;
  /** `show` of what `act` finds in the gateway's database. */
  onDatabase(options: JsonOption, act: (session: Session) => Promise<Report>): Promise<void>;
}

/** Gathers the values of an option that may be given several times. */
export const repeated = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
