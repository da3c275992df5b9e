import type { Cli, JsonOption } from "./cli.ts";
import { ordersResolve, ordersShow, ordersStuck } from "./orders.command.ts";

export function ordersCommands({ group, command, onDatabase, surroundings }: Cli): void {
  const orders = group("orders", "what subscribers pay for: show, stuck, resolve");
  command(orders, "show <id>", "one order with its timeline and its money").action((id: string, options: JsonOption) =>
    onDatabase(options, ({ db }) => ordersShow(db, id)),
  );
  command(orders, "stuck", "orders that a working gateway would have moved by now").action((options: JsonOption) =>
    onDatabase(options, ({ db }) => ordersStuck(db)),
  );
  command(orders, "resolve <id>", "end an order whose outcome is unknown, with a proof in writing", [
    './afara orders resolve msg_01k9z3v1h8e4rb2m6t0c5w7xyd --as delivered --proof "MTN ticket 4711: handed over at 10:42"',
    './afara orders resolve msg_01k9z3v1h8e4rb2m6t0c5w7xyd --as failed --proof "MTN ticket 4712: never received"',
    './afara orders resolve pur_01k9z3v1h8e4rb2m6t0c5w7xyd --as successful --proof "VTpass support by phone, 10:42: delivered"',
  ])
    .requiredOption(
      "--as <state>",
      "the state to end in: for an SMS delivered, undelivered, expired, rejected or failed, for a purchase successful or failed; failed gives the money back",
    )
    .requiredOption("--proof <text>", "what the vendor said of it, who said it, and when")
    .action((id: string, { as, proof, ...options }: JsonOption & { readonly as: string; readonly proof: string }) =>
      onDatabase(options, (session) => ordersResolve(session, surroundings.clock, id, { as, proof })),
    );
}
