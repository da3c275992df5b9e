import { readFileSync } from "node:fs";
import { CannotRun } from "./report.ts";
import type { Surroundings } from "./session.ts";

export interface PassphraseOptions {
  readonly passphrase?: true;
  readonly passphraseFile?: string;
}

const LENGTH_MIN = 8;

/** The passphrase for a new backup, asked for twice; undefined for an unencrypted one. */
export async function newPassphrase(
  { terminal }: Surroundings,
  { passphrase, passphraseFile }: PassphraseOptions,
): Promise<string | undefined> {
  if (passphraseFile !== undefined) return fromFile(passphraseFile);
  if (!passphrase) return undefined;
  if (!terminal)
    throw new CannotRun("No terminal is available to ask for a passphrase: give --passphrase-file <file>.");
  const first = await terminal.ask("Passphrase for the backup: ", { hidden: true });
  if (first.length < LENGTH_MIN) throw new CannotRun(`A passphrase needs at least ${LENGTH_MIN} characters.`);
  if ((await terminal.ask("Repeat the passphrase: ", { hidden: true })) !== first)
    throw new CannotRun("The two passphrases differ: nothing was written.");
  return first;
}

/** The passphrase of an encrypted backup. */
export async function knownPassphrase(
  { terminal }: Surroundings,
  { passphraseFile }: PassphraseOptions,
): Promise<string> {
  if (passphraseFile !== undefined) return fromFile(passphraseFile);
  if (!terminal) throw new CannotRun("This backup is encrypted: give its passphrase with --passphrase-file <file>.");
  return terminal.ask("Passphrase of the backup: ", { hidden: true });
}

/** The first line, without its line break. */
function fromFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CannotRun(`--passphrase-file: ${(error as Error).message}`);
  }
  const [line = ""] = text.split(/\r?\n/);
  if (line.length < LENGTH_MIN)
    throw new CannotRun(`--passphrase-file: the first line of ${path} has fewer than ${LENGTH_MIN} characters.`);
  return line;
}
