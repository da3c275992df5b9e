import { existsSync, readFileSync } from "node:fs";
import { checkApiKeyFormat } from "../accounts/api-key.ts";
import { dataFile } from "../config/config.ts";
import type { Mode } from "../kernel/mode.ts";
import { CannotRun } from "./report.ts";
import { type Surroundings, soundConfig } from "./session.ts";

/** A running gateway and a key to it, for commands that use the API as a subscriber does. */
export interface GatewayAccess {
  /** Without a slash at its end. */
  readonly base: string;
  readonly key: string;
  readonly mode: Mode;
}

export interface AccessOptions {
  readonly url?: string;
  readonly key?: string;
}

/** Instead of a key: reads it from standard input, which keeps it out of the shell history and the process list. */
const INPUT = "-";

/** Without options: the gateway of this machine's configuration, and the test key in its data directory. */
export async function gatewayAccess(
  surroundings: Surroundings,
  warn: (text: string) => void,
  { url, key }: AccessOptions,
): Promise<GatewayAccess> {
  const config = url === undefined || key === undefined ? await soundConfig(surroundings, warn) : undefined;
  const text =
    key === INPUT
      ? (await surroundings.readInput("The API key, then Ctrl-D:")).trim()
      : (key ?? config?.testKey ?? readTestKey(dataFile(config!, "test-key")));
  const mode = checkApiKeyFormat(text);
  if (mode === undefined)
    throw new CannotRun("That key is incomplete or malformed: it starts with afara_test_ or afara_live_.");
  return { base: url === undefined ? `http://127.0.0.1:${config!.port}` : baseOf(url), key: text, mode };
}

function readTestKey(file: string): string {
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  throw new CannotRun(
    `There is no test key in ${file}: give --key <key>, or set AFARA_DATA_DIR to the gateway's data directory.`,
  );
}

function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CannotRun(`--url ${text} is not an address: write it like http://localhost:8080.`);
  return (url.origin + url.pathname).replace(/\/+$/, "");
}
