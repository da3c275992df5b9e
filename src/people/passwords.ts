import { type Refusal, refusal } from "../kernel/refusal.ts";

let common: Promise<ReadonlySet<string>> | undefined;

/** Some fifty thousand from leaks, in lower case; read when somebody first chooses a password. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].map((word) => String(word).toLowerCase())),
  );
  return common;
}

/** Shorter ones are no words that digits were put around, but part of any password. */
const CORE_LENGTH_MIN = 5;

/** Whether it is among the first that are tried: a common one, one with digits or signs around it, or the person's own address. */
export async function isGuessable(password: string, email: string): Promise<boolean> {
  const lower = password.normalize("NFKC").toLowerCase();
  const core = lower.replace(/^[\P{L}]+|[\P{L}]+$/gu, "");
  const words = await commonPasswords();
  const [local = ""] = email.split("@");
  return (
    words.has(lower) ||
    (core.length >= CORE_LENGTH_MIN && words.has(core)) ||
    new Set(lower).size < 4 ||
    [email, local, "afara"].some((own) => own !== "" && (lower === own || core === own))
  );
}

export const guessable = (field: string): Refusal =>
  refusal("validation_failed", "This password is among the first that are tried. Choose another.", {
    errors: [{ pointer: `/${field}`, code: "not_allowed_value", detail: "Among the first passwords that are tried." }],
  });
