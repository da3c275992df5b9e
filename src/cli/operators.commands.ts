import { emailAddress } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

const code = () => import("./operators.command.ts");

export function operatorsCommands({ group, command, onDatabase }: Cli): void {
  const operator = group("operator", "people who run the gateway: invite, list, remove");
  command(operator, "invite", "make a link with which a person becomes an operator", [
    "./afara operator invite ada@example.ng",
  ])
    .argument("<email>", "the address that they sign in with, or sign up with", emailAddress)
    .action((email: string, options: JsonOption) =>
      onDatabase(options, async (session) => (await code()).operatorInvite(session, email)),
    );
  command(operator, "list", "who runs the gateway, and who is invited to", ["./afara operator list"]).action(
    (options: JsonOption) => onDatabase(options, async (session) => (await code()).operatorList(session)),
  );
  command(operator, "remove", "end what an operator may do, or their invitation", [
    "./afara operator remove ada@example.ng",
  ])
    .argument("<email>", "whose", emailAddress)
    .action((email: string, options: JsonOption) =>
      onDatabase(options, async (session) => (await code()).operatorRemove(session, email)),
    );
}
