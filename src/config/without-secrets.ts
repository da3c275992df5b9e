/** Keys whose values are not shown, and not what they begin with either. */
const SECRET_KEY = /((?:secret|password|passwd|token|key|pin|credential)\w*["']?\s*[:=]\s*)(["'`])(?:(?!\2).)*\2?/gi;
/** As short as that, a value stands in many texts by chance. */
const SECRET_LENGTH_MIN = 6;
const LINE_LENGTH_MAX = 120;

/** A line of a configuration for a message: what is written behind the name of a secret is left out. */
export function shownLine(text: string): string {
  const line = text.trim().replace(SECRET_KEY, "$1$2…$2");
  return line.length > LINE_LENGTH_MAX ? `${line.slice(0, LINE_LENGTH_MAX)} …` : line;
}

/** A message without the values of the environment, and without what JSON.parse repeats of its input. */
export function withoutSecrets(message: string, environment: Readonly<Record<string, string | undefined>>): string {
  const values = Object.entries(environment)
    .filter(([name, value]) => value !== undefined && value.length >= SECRET_LENGTH_MIN && isSecretName(name))
    .sort(([, a], [, b]) => b!.length - a!.length);
  return values
    .reduce((text, [name, value]) => text.replaceAll(value!, `(${name})`), message)
    .replaceAll(
      /(?:\.\.\.)?"(?:[^"]|"(?! is not valid))*"(?:\.\.\.)? is not valid JSON/gs,
      "what it was given is not valid JSON",
    );
}

const isSecretName = (name: string): boolean =>
  /secret|password|passwd|token|key|pin|credential|_url$/i.test(name) && !name.endsWith("_FILE");
