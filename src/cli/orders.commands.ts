import { type Cli, type JsonOption, repeated } from "./cli.ts";
import type { ResolveOptions } from "./orders.command.ts";

interface ResolveFlags extends JsonOption, Omit<ResolveOptions, "tokens"> {
  readonly token?: readonly string[];
}

const code = () => import("./orders.command.ts");

export function ordersCommands({ group, command, onDatabase, surroundings }: Cli): void {
  const orders = group("orders", "what subscribers pay for: show, stuck, resolve");
  command(orders, "show <id>", "one order with its timeline and its money", [
    "./afara orders show msg_01k9z3v1h8e4rb2m6t0c5w7xyd",
    "./afara orders show pur_01k9z3v1h8e4rb2m6t0c5w7xyd --json",
  ]).action((id: string, options: JsonOption) =>
    onDatabase(options, async ({ db }) => (await code()).ordersShow(db, id)),
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
