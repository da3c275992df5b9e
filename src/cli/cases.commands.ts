import type { Cli, JsonOption } from "./cli.ts";

const code = () => import("./cases.command.ts");

export function casesCommands({ group, command, onDatabase }: Cli): void {
  const cases = group("cases", "what a person must look at: list, show, close");
  command(cases, "list", "open cases, oldest first; exit code 1 while there are any", [
    "./afara cases list",
    "./afara cases list --all --json",
  ])
    .option("--all", "include closed cases, newest first; exit code 0")
    .action(({ all, ...options }: JsonOption & { readonly all?: true }) =>
      onDatabase(options, async ({ db }) => (await code()).casesList(db, all ?? false)),
    );
  command(cases, "show <id>", "one case with its evidence", [
    "./afara cases show cas_01k9z3v1h8e4rb2m6t0c5w7xyd",
    "./afara cases show cas_01k9z3v1h8e4rb2m6t0c5w7xyd --answer",
  ])
    .option("--answer", "also the vendor's disputed answer with its tokens; the audit log records who read it")
    .action((id: string, { answer, ...options }: JsonOption & { readonly answer?: true }) =>
      onDatabase(options, async (session) => (await code()).casesShow(session, id, answer ?? false)),
    );
  command(cases, "close <id>", "close a settled case; one about an unknown outcome closes with its order", [
    './afara cases close cas_01k9z3v1h8e4rb2m6t0c5w7xyd --resolution "VTpass paid 485.00 back on 3 October, ticket 4711"',
  ])
    .requiredOption("--resolution <text>", "how it was settled (for the audit log)")
    .action((id: string, { resolution, ...options }: JsonOption & { readonly resolution: string }) =>
      onDatabase(options, async (session) => (await code()).casesClose(session, id, resolution)),
    );
}
