import { Option } from "commander";
import { accountId, count, type Moment, momentOr } from "./arguments.ts";
import { type Cli, type JsonOption, repeated } from "./cli.ts";
import type { ResolveOptions } from "./orders.command.ts";
import type { ListOptions } from "./orders-find.command.ts";

interface ResolveFlags extends JsonOption, Omit<ResolveOptions, "tokens"> {
  readonly token?: readonly string[];
}

interface ListFlags extends JsonOption, Omit<ListOptions, "since" | "until" | "numbers"> {
  readonly since?: Moment;
  readonly until?: Moment;
}

/** What services bring: names of what their orders are for. */
const words = () => import("./recipients.ts");
const code = () => import("./orders.command.ts");
const finding = () => import("./orders-find.command.ts");

export function ordersCommands({ program, group, command, onDatabase, surroundings }: Cli): void {
  const orders = group("orders", "messages and purchases: list, show, stuck, resolve");
  const list = command(orders, "list", "find orders by recipient, reference or request, newest first", [
    "./afara orders list --to 08031234567",
    "./afara orders list --meter 45012345678 --since 90d",
    "./afara orders list --request req_01k9z3v1h8e4rb2m6t0c5w7xyd",
    "./afara orders list --status failed --since 24h --account acc_01k9z3v1h8e4rb2m6t0c5w7xyd",
  ])
    .option("--to <phone>", "recipient: a phone or chat address, or the phone of whoever a purchase is for")
    .option(
      "--reference <reference>",
      "the subscriber's reference of an order or a bulk; any age unless --since is given",
    )
    .option("--request <id>", "the request that made it (req_…); any age unless --since is given")
    .option("--account <id>", "of this account (acc_…)", accountId)
    .option("--status <status>", "current status, e.g. delivered, unknown, failed")
    .option("--service <service>", "of this service, e.g. sms")
    .addOption(new Option("--mode <mode>", "live or test").choices(["live", "test"]))
    .option(
      "--since <when>",
      "accepted since: 24h, 7d, a day in Lagos (2026-11-28, today, yesterday) or a time (default: 30d)",
      momentOr("from"),
    )
    .option("--until <when>", "accepted before; same formats as --since", momentOr("to"))
    .option("--limit <count>", "maximum number of orders (default: 50)", count)
    .action(({ json, since, until, ...options }: ListFlags) => {
      const now = surroundings.clock.now();
      const times = { ...(since && { since: since(now) }), ...(until && { until: until(now) }) };
      return onDatabase(json ? { json } : {}, async ({ db }) =>
        (await finding()).ordersList(db, { ...options, ...times, numbers }, now),
      );
    });
  const numbers: Record<string, string> = {};
  // Loaded for this group alone: other help texts need no service.
  program.hook("preSubcommand", async (_program, called) => {
    if (called !== orders) return;
    const { RECIPIENTS } = await words();
    for (const { service, name } of RECIPIENTS) {
      const others = RECIPIENTS.map((other) => other.name).filter((other) => other !== name);
      const keep = (number: string) => {
        numbers[name] = number;
        return number;
      };
      list.addOption(new Option(`--${name} <number>`, `${service} for this ${name}`).conflicts(others).argParser(keep));
    }
  });
  command(orders, "show <what...>", "one order with its timeline and transfers; a list if several match", [
    "./afara orders show msg_01k9z3v1h8e4rb2m6t0c5w7xyd",
    "./afara orders show 08031234567",
    "./afara orders show req_01k9z3v1h8e4rb2m6t0c5w7xyd",
    './afara orders show "invoice-1001"',
  ])
    .addHelpText(
      "after",
      "\n<what> is an order's ID; a phone, or the number of a meter; a reference or Idempotency-Key; the ID of a request, a bulk, a case or a statement line; or a vendor's reference.",
    )
    .action((what: readonly string[], options: JsonOption) =>
      onDatabase(options, async ({ db, config }) => (await code()).ordersShow(db, config.file, what.join(" "))),
    );
  command(orders, "stuck", "orders that have stopped making progress", [
    "./afara orders stuck",
    "./afara orders stuck --json",
  ]).action((options: JsonOption) => onDatabase(options, async ({ db }) => (await code()).ordersStuck(db)));
  command(orders, "resolve <id>", "end an order with an unknown outcome, with written proof", [
    './afara orders resolve msg_01k9z3v1h8e4rb2m6t0c5w7xyd --as delivered --proof "MTN ticket 4711: handed over at 10:42"',
    './afara orders resolve msg_01k9z3v1h8e4rb2m6t0c5w7xyd --as failed --proof "MTN ticket 4712: never received"',
    './afara orders resolve pur_01k9z3v1h8e4rb2m6t0c5w7xyd --as successful --proof "VTpass support by phone, 10:42: delivered" --token "1234 5678 9012 3456 7890"',
    './afara orders resolve pur_01k9z3v1h8e4rb2m6t0c5w7xyd --as successful --proof "VTpass support by phone, 10:42: delivered" --token -',
  ])
    .requiredOption(
      "--as <state>",
      "the final state: for an SMS delivered, undelivered, expired, rejected or failed; for a chat message delivered, read or failed; for a purchase successful or failed. `failed` returns the money. For a successful purchase that the vendor reversed: reversed",
    )
    .requiredOption("--proof <text>", "what the vendor said, who said it, and when")
    .option(
      "--token <code>",
      "for a successful purchase of tokens: a token from the vendor, with its kind in front unless it is what was paid for (kct1:1234…). Repeat for several, in the order in which they are used. - reads tokens from standard input, one per line, to keep them out of the shell history",
      repeated,
    )
    .option("--without-token", "for a successful purchase of tokens: the vendor delivered without one")
    .action(async (id: string, { json, token = [], ...resolution }: ResolveFlags) => {
      const { readTokens } = await import("./token-argument.ts");
      const tokens = await readTokens(token, surroundings);
      await onDatabase(json ? { json } : {}, async (session) =>
        (await code()).ordersResolve(session, id, { ...resolution, tokens }),
      );
    });
}
