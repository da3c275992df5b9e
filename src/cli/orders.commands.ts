import { Option } from "commander";
import { accountId, count, type Moment, momentOr } from "./arguments.ts";
import { type Cli, type JsonOption, repeated } from "./cli.ts";
import type { ResolveOptions } from "./orders.command.ts";
import type { ListOptions } from "./orders-find.command.ts";

interface ResolveFlags extends JsonOption, Omit<ResolveOptions, "tokens"> {
  readonly token?: readonly string[];
}

interface ListFlags extends JsonOption, Omit<ListOptions, "since" | "until"> {
  readonly since?: Moment;
  readonly until?: Moment;
}

const code = () => import("./orders.command.ts");
const finding = () => import("./orders-find.command.ts");

export function ordersCommands({ group, command, onDatabase, surroundings }: Cli): void {
  const orders = group("orders", "what subscribers pay for: list, show, stuck, resolve");
  command(orders, "list", "find orders by phone, meter, reference or request, the newest first", [
    "./afara orders list --to 08031234567",
    "./afara orders list --meter 45012345678 --since 90d",
    "./afara orders list --request req_01k9z3v1h8e4rb2m6t0c5w7xyd",
    "./afara orders list --status failed --since 24h --account acc_01k9z3v1h8e4rb2m6t0c5w7xyd",
  ])
    .option("--to <phone>", "sent to this phone (or chat address), or electricity whose token goes to it")
    .option("--meter <number>", "electricity for this meter")
    .option(
      "--reference <reference>",
      "the subscriber's own reference, of an order or of a bulk; of any age unless --since is given",
    )
    .option("--request <id>", "made by this request (req_…); of any age unless --since is given")
    .option("--account <id>", "of this account (acc_…)", accountId)
    .option("--status <status>", "with this status now, e.g. delivered, unknown, failed")
    .option("--service <service>", "sms, chat, airtime or electricity")
    .addOption(new Option("--mode <mode>", "live or test").choices(["live", "test"]))
    .option(
      "--since <when>",
      "accepted since: 24h, 7d, a day in Lagos (2026-11-28, today, yesterday) or a time (30d)",
      momentOr("from"),
    )
    .option("--until <when>", "accepted before: the same", momentOr("to"))
    .option("--limit <count>", "how many at most (50)", count)
    .action(({ json, since, until, ...options }: ListFlags) => {
      const now = surroundings.clock.now();
      const times = { ...(since && { since: since(now) }), ...(until && { until: until(now) }) };
      return onDatabase(json ? { json } : {}, async ({ db }) =>
        (await finding()).ordersList(db, { ...options, ...times }, now),
      );
    });
  command(
    orders,
    "show <what...>",
    "one order with its timeline and its money; a list when the words lead to several",
    [
      "./afara orders show msg_01k9z3v1h8e4rb2m6t0c5w7xyd",
      "./afara orders show 08031234567",
      "./afara orders show req_01k9z3v1h8e4rb2m6t0c5w7xyd",
      './afara orders show "invoice-1001"',
    ],
  )
    .addHelpText(
      "after",
      "\nWhat: an order's id; a phone, a meter, a reference or Idempotency-Key; the id of a request, a bulk, a case or a line of the statement; a vendor's number.",
    )
    .action((what: readonly string[], options: JsonOption) =>
      onDatabase(options, async ({ db, config }) => (await code()).ordersShow(db, config.file, what.join(" "))),
    );
  command(orders, "stuck", "orders that a working gateway would have moved by now", [
    "./afara orders stuck",
    "./afara orders stuck --json",
  ]).action((options: JsonOption) => onDatabase(options, async ({ db }) => (await code()).ordersStuck(db)));
  command(orders, "resolve <id>", "end an order whose outcome is unknown, with a proof in writing", [
    './afara orders resolve msg_01k9z3v1h8e4rb2m6t0c5w7xyd --as delivered --proof "MTN ticket 4711: handed over at 10:42"',
    './afara orders resolve msg_01k9z3v1h8e4rb2m6t0c5w7xyd --as failed --proof "MTN ticket 4712: never received"',
    './afara orders resolve pur_01k9z3v1h8e4rb2m6t0c5w7xyd --as successful --proof "VTpass support by phone, 10:42: delivered" --token "1234 5678 9012 3456 7890"',
    './afara orders resolve pur_01k9z3v1h8e4rb2m6t0c5w7xyd --as successful --proof "VTpass support by phone, 10:42: delivered" --token -',
  ])
    .requiredOption(
      "--as <state>",
      "the state to end in: for an SMS delivered, undelivered, expired, rejected or failed, for a chat message delivered, read or failed, for a purchase successful or failed; failed gives the money back. A successful purchase that its vendor took back: reversed",
    )
    .requiredOption("--proof <text>", "what the vendor said of it, who said it, and when")
    .option(
      "--token <digits>",
      "of electricity that is successful: a token that the vendor read out, e.g. kct1:1234… (kinds: credit, bonus, kct1, kct2; credit unless told); several in the order in which they are typed in; - reads them from the standard input, one a line, so that they stand in no shell history",
      repeated,
    )
    .option("--without-token", "of electricity that is successful: the meter was credited without a token")
    .action(async (id: string, { json, token = [], ...resolution }: ResolveFlags) => {
      const { readTokens } = await import("./token-argument.ts");
      const tokens = await readTokens(token, surroundings);
      await onDatabase(json ? { json } : {}, async (session) =>
        (await code()).ordersResolve(session, id, { ...resolution, tokens }),
      );
    });
}
