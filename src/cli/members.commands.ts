import { Option } from "commander";
import type { Role } from "../accounts/roles.ts";
import type { Uuid } from "../kernel/ids.ts";
import { accountOption, emailAddress } from "./arguments.ts";
import type { Cli, JsonOption } from "./cli.ts";

interface OfAccount extends JsonOption {
  readonly account: Uuid;
}

interface OfPerson extends OfAccount {
  readonly email: string;
}

const ID = "acc_01kb3v9q4ze1xb8m6t2r5y7w0n";
const PERSON = `--account ${ID} --email ada@example.ng`;
const roleOption = () =>
  new Option("--role <role>", "what they may do")
    .choices(["owner", "developer", "finance", "viewer"] satisfies Role[])
    .makeOptionMandatory();

const code = () => import("./members.command.ts");

export function membersCommands({ group, command, onDatabase }: Cli): void {
  const members = group("members", "an account's people: list, invite, role, remove");
  command(members, "list", "who belongs to an account, and who is invited", [`./afara members list --account ${ID}`])
    .addOption(accountOption())
    .action((options: OfAccount) =>
      onDatabase(options, async (session) => (await code()).membersList(session, options.account)),
    );
  command(members, "invite", "invite somebody to an account, by mail", [
    `./afara members invite ${PERSON} --role developer`,
  ])
    .addOption(accountOption())
    .requiredOption("--email <address>", "whom", emailAddress)
    .addOption(roleOption())
    .action((options: OfPerson & { readonly role: Role }) =>
      onDatabase(options, async (session) =>
        (await code()).membersInvite(session, options.account, options.email, options.role),
      ),
    );
  command(members, "role", "give a member another role", [`./afara members role ${PERSON} --role finance`])
    .addOption(accountOption())
    .requiredOption("--email <address>", "whose", emailAddress)
    .addOption(roleOption())
    .action((options: OfPerson & { readonly role: Role }) =>
      onDatabase(options, async (session) =>
        (await code()).membersRole(session, options.account, options.email, options.role),
      ),
    );
  command(members, "remove", "take a member, or an invitation, out of an account", [`./afara members remove ${PERSON}`])
    .addOption(accountOption())
    .requiredOption("--email <address>", "whom", emailAddress)
    .action((options: OfPerson) =>
      onDatabase(options, async (session) => (await code()).membersRemove(session, options.account, options.email)),
    );

  const signups = group("signups", "people who wait to be let in (signUp: approval): list, approve, refuse");
  command(signups, "list", "who signed up and waits for approval", ["./afara signups list"]).action(
    (options: JsonOption) => onDatabase(options, async ({ db }) => (await code()).signupsList(db)),
  );
  for (const [name, description] of [
    ["approve", "let a person in; they get an account of their own"],
    ["refuse", "forget a person who signed up"],
  ] as const)
    command(signups, name, description, [`./afara signups ${name} ada@example.ng`])
      .argument("<email>", "the address that they signed up with", emailAddress)
      .action((email: string, options: JsonOption) =>
        onDatabase(options, async (session) => (await code()).signupsDecide(session, email, name)),
      );
}
