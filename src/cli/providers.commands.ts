import type { Cli, JsonOption } from "./cli.ts";

const code = () => import("./providers.command.ts");

export function providersCommands({ group, command, onDatabase }: Cli): void {
  const providers = group("providers", "vendors: status, pause, resume");
  command(providers, "status", "the configured vendors, their connections and pauses", [
    "./afara providers status",
    "./afara providers status --json",
  ]).action((options: JsonOption) =>
    onDatabase(options, async ({ db, config }) => (await code()).providersStatus(db, config.file)),
  );
  command(providers, "pause <name>", "stop sending orders to a vendor", [
    './afara providers pause smsc-simulator --reason "maintenance until 14:00"',
  ])
    .requiredOption("--reason <text>", "why, as `providers status` and the audit log show it")
    .action((name: string, options: JsonOption & { readonly reason: string }) =>
      onDatabase(options, async ({ db, config, operator }) =>
        (await code()).providersPause(db, config.file, name, options.reason, operator),
      ),
    );
  command(providers, "resume <name>", "undo a pause", ["./afara providers resume smsc-simulator"]).action(
    (name: string, options: JsonOption) =>
      onDatabase(options, async ({ db, config, operator }) =>
        (await code()).providersResume(db, config.file, name, operator),
      ),
  );
}
