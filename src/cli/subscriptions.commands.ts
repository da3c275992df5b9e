import type { Uuid } from "../kernel/ids.ts";
import { accountOption } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface Options extends JsonOption {
  readonly account: Uuid;
  readonly service: string;
}

const ID = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";

const code = () => import("./subscriptions.command.ts");

export function subscriptionsCommands({ program, surroundings, warn, command, show, onDatabase }: Cli): void {
  command(program, "plans", "the plans of each service, from the configuration", [
    "./afara plans",
    "./afara plans --json",
  ]).action((options: JsonOption) =>
    show(
      code().then(({ plansTable }) => plansTable(surroundings, warn)),
      options,
    ),
  );
  command(program, "subscribe", "put an account on a plan immediately; the fee is charged to the live wallet", [
    `./afara subscribe --account ${ID} --service sms --plan free`,
    `./afara subscribe --account ${ID} --service sms --plan growth --json`,
  ])
    .addOption(accountOption())
    .requiredOption("--service <service>", "e.g. sms")
    .requiredOption("--plan <plan>", "see ./afara plans")
    .action((options: Options & { readonly plan: string }) =>
      onDatabase(options, async (session) =>
        (await code()).subscribeAccount(session, options.account, options.service, options.plan),
      ),
    );
  command(program, "unsubscribe", "end a subscription immediately; requests then get not_subscribed", [
    `./afara unsubscribe --account ${ID} --service sms`,
  ])
    .addOption(accountOption())
    .requiredOption("--service <service>", "e.g. sms")
    .action((options: Options) =>
      onDatabase(options, async (session) =>
        (await code()).unsubscribeAccount(session, options.account, options.service),
      ),
    );
}
