import { type Cli, repeated } from "./cli.ts";
import type { ListenOptions } from "./listen.command.ts";
import type { TriggerOptions } from "./trigger.command.ts";

/** What the commands that use a running gateway's API have in common. */
const KEY_OPTION = [
  "--key <key>",
  "the API key, or - to read it from standard input (default: the gateway's own test key)",
] as const;
const URL_OPTION = ["--url <address>", "the gateway (default: the one of this machine's configuration)"] as const;

export function listenCommands({ program, surroundings, command, line, show, warn }: Cli): void {
  command(program, "listen", "show events as they happen, and post them to your own machine as webhooks", [
    "./afara listen",
    "./afara listen --forward http://localhost:3000/hook",
    "./afara listen --type 'sms.*' --type wallet.low --json",
    "./afara listen --key - --url https://afara.example.com --forward http://localhost:3000/hook < key.txt",
  ])
    .option(...KEY_OPTION)
    .option(...URL_OPTION)
    .option("--forward <address>", "post each event there, signed like a webhook, one after another")
    .option("--type <type>", "only these, e.g. sms.delivered or sms.*; may be repeated (default: all)", repeated)
    .option("--after <cursor>", "begin behind this cursor of the feed (default: now)")
    .option("--secret <secret>", "sign with this whsec_… (default: a new one, which is printed)")
    .action(async (options: ListenOptions) => {
      const { listen } = await import("./listen.command.ts");
      await listen(surroundings, { line, warn }, options);
    });

  command(
    program,
    "trigger [type]",
    "make an event in test mode, and show it when it comes; without a type: list them",
    [
      "./afara trigger",
      "./afara trigger sms.delivered",
      "./afara trigger electricity.token_pending --key - --json < key.txt",
    ],
  )
    .option(...KEY_OPTION)
    .option(...URL_OPTION)
    .action(async (type: string | undefined, options: TriggerOptions) => {
      const { trigger, triggerList } = await import("./trigger.command.ts");
      const report =
        type === undefined ? Promise.resolve(triggerList()) : trigger(surroundings, { warn }, type, options);
      await show(report, options);
    });
}
