import type { Cli, JsonOption } from "./cli.ts";
import { providersPause, providersResume, providersStatus } from "./providers.command.ts";

export function providersCommands({ group, command, onDatabase }: Cli): void {
  const providers = group("providers", "vendors: status, pause, resume");
  command(providers, "status", "the configured providers: which are connected, and which are paused").action(
    (options: JsonOption) => onDatabase(options, ({ db, config }) => providersStatus(db, config.file)),
  );
  command(providers, "pause <name>", "hand out no more orders to a provider")
    .requiredOption("--reason <text>", "why, for whoever looks next")
    .action((name: string, options: JsonOption & { readonly reason: string }) =>
      onDatabase(options, ({ db, config, operator }) =>
        providersPause(db, config.file, name, options.reason, operator),
      ),
    );
  command(providers, "resume <name>", "undo a pause").action((name: string, options: JsonOption) =>
    onDatabase(options, ({ db, config, operator }) => providersResume(db, config.file, name, operator)),
  );
}
