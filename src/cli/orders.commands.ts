import type { Cli, JsonOption } from "./cli.ts";
import { ordersShow, ordersStuck } from "./orders.command.ts";

export function ordersCommands({ group, command, onDatabase }: Cli): void {
  const orders = group("orders", "what subscribers pay for: show, stuck");
  command(orders, "show <id>", "one order with its timeline and its money").action((id: string, options: JsonOption) =>
    onDatabase(options, ({ db }) => ordersShow(db, id)),
  );
  command(orders, "stuck", "orders that a working gateway would have moved by now").action((options: JsonOption) =>
    onDatabase(options, ({ db }) => ordersStuck(db)),
  );
}
