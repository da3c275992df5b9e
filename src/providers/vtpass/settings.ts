import Type from "typebox";
import { ok, type Result } from "../../kernel/result.ts";
import {
  baseUrl,
  headerText,
  readShape,
  responseTimeoutMs,
  settings,
  wholeNumber,
  withoutSlash,
} from "../settings-schema.ts";

/** Everything an operator can set for one VTpass account. Each is explained in docs/providers/vtpass.md. */
const SETTINGS = settings({
  /** Without `/api`. */
  baseUrl: baseUrl("https://vtpass.com"),
  apiKey: headerText("the account's static API key"),
  publicKey: headerText("the key that begins with PK_"),
  secretKey: headerText("the key that begins with SK_"),
  responseTimeoutMs: responseTimeoutMs(60_000),
  /** How long after “likely duplicate” (019) the same may be bought again. */
  duplicateWaitMs: wholeNumber(100, 600_000, 30_000),
  /** Part of the callback's path that nobody can guess; empty: none. */
  callbackSecret: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: "^[\\w-]*$",
      description: "letters, digits, - and _, 100 at most: it is a part of a path",
      default: "",
    }),
  ),
});

export type VtpassSettings = Readonly<Required<Type.Static<typeof SETTINGS>>>;

export function readSettings(input: unknown): Result<VtpassSettings, readonly string[]> {
  const read = readShape(SETTINGS, input);
  return read.ok ? ok({ ...read.value, baseUrl: withoutSlash(read.value.baseUrl) }) : read;
}
