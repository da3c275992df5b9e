import type { Command } from "commander";
import type { Cli, JsonOption } from "./cli.ts";
import type { PassphraseOptions } from "./passphrase.ts";

/** Commands about a gateway's data as a whole: where, backup, restore, reset. Each command's code is loaded when it is called. */
export function dataCommands({ program, surroundings, command, show, warn }: Cli): void {
  withPassphrase(
    command(program, "backup <file>", "save everything to one file, whether or not the gateway is running", [
      "./afara backup /mnt/backups/afara-2026-11-28.backup",
      "./afara backup /mnt/backups/afara-2026-11-28.backup --passphrase-file /etc/afara/backup-passphrase",
    ]),
  ).action(async (file: string, options: JsonOption & PassphraseOptions) => {
    const { backup } = await import("./backup.command.ts");
    await show(backup(surroundings, warn, file, options), options);
  });

  withPassphrase(
    command(program, "restore <file>", "restore a backup into an empty data directory or an empty database", [
      "./afara restore /mnt/backups/afara-2026-11-28.backup",
      "AFARA_DATA_DIR=/srv/afara-data ./afara restore /mnt/backups/afara-2026-11-28.backup",
    ]),
  ).action(async (file: string, options: JsonOption & PassphraseOptions) => {
    const { restore } = await import("./restore.command.ts");
    await show(restore(surroundings, warn, file, options), options);
  });

  command(program, "reset", "delete all data: the database and Afara's files in the data directory", [
    "./afara reset",
    "./afara reset --yes",
    "./afara reset --live ins_01k9z3v1h8e4rb2m6t0c5w7xyd",
  ])
    .option("--yes", "do not ask for confirmation")
    .option("--live <id>", "the installation's ID (see ./afara where), required if there is live data")
    .action(async (options: JsonOption & { yes?: true; live?: string }) => {
      const { reset } = await import("./reset.command.ts");
      await show(reset(surroundings, warn, options), options);
    });

  command(program, "where", "show the location, size and versions of the data", [
    "./afara where",
    "./afara where --json",
  ]).action(async (options: JsonOption) => {
    const { where } = await import("./where.command.ts");
    await show(where(surroundings, warn), options);
  });

  command(program, "adopt <place>", "take over the database of a removed data directory", [
    "./afara adopt /var/lib/afara/0f3a5c7e9b1d",
    "./afara adopt /var/lib/afara/0f3a5c7e9b1d --secret-lost",
  ])
    .option("--secret-lost", "continue without the lost secret; its API keys and sealed tokens become unusable")
    .action(async (place: string, options: JsonOption & { secretLost?: true }) => {
      const { adopt } = await import("./adopt.command.ts");
      await show(adopt(surroundings, warn, place, options), options);
    });
}

const withPassphrase = (command: Command): Command =>
  command
    .option("--passphrase", "encrypt with a passphrase from a prompt")
    .option("--passphrase-file <file>", "encrypt with the passphrase in this file");
