import { makeSubscriptions } from "../accounts/subscriptions.ts";
import { onOffer } from "../app.ts";
import type { Uuid } from "../kernel/ids.ts";
import { accountOption } from "./arguments.ts";
import type { Cli, JsonOption, Session } from "./cli.ts";
import { soundConfig } from "./session.ts";
import { plansTable, subscribeAccount, unsubscribeAccount } from "./subscriptions.command.ts";

interface Options extends JsonOption {
  readonly account: Uuid;
  readonly service: string;
}

const ID = "acc_01k9z3v1h8e4rb2m6t0c5w7xyd";

export function subscriptionsCommands({ program, surroundings, command, show, onDatabase }: Cli): void {
  const subscriptionsOf = ({ db, config }: Session) =>
    makeSubscriptions({
      db,
      clock: surroundings.clock,
      config: onOffer(config.file),
      configured: Object.keys(config.file.services),
    });

  command(program, "plans", "the plans of each service, from the configuration").action((options: JsonOption) =>
    show(
      soundConfig(surroundings).then(({ file }) => plansTable(file)),
      options,
    ),
  );
  command(program, "subscribe", "put an account on a plan, at once; its fee is taken from the live wallet", [
    `./afara subscribe --account ${ID} --service sms --plan free`,
    `./afara subscribe --account ${ID} --service sms --plan growth --json`,
  ])
    .addOption(accountOption())
    .requiredOption("--service <service>", "e.g. sms")
    .requiredOption("--plan <plan>", "see ./afara plans")
    .action((options: Options & { readonly plan: string }) =>
      onDatabase(options, (session) =>
        subscribeAccount(subscriptionsOf(session), session.operator, options.account, options.service, options.plan),
      ),
    );
  command(program, "unsubscribe", "end a subscription, at once; its keys then answer not_subscribed", [
    `./afara unsubscribe --account ${ID} --service sms`,
  ])
    .addOption(accountOption())
    .requiredOption("--service <service>", "e.g. sms")
    .action((options: Options) =>
      onDatabase(options, (session) =>
        unsubscribeAccount(subscriptionsOf(session), session.operator, options.account, options.service),
      ),
    );
}
