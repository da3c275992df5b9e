import { meant } from "../../kernel/schema-words.ts";
import { nearest } from "../../kernel/spelling.ts";

export interface TextRule {
  readonly max: number;
  readonly fallback?: string;
  readonly what?: string;
  readonly charset?: { readonly allowed: RegExp; readonly fault: string };
}

/**
 * Reads one object of settings key by key and remembers every fault, so that an operator mends all of them at once. A faulty
 * key yields its fallback; nobody uses the result while there are faults.
 */
export class SettingsReader {
  readonly #input: Readonly<Record<string, unknown>>;
  readonly #faults: string[] = [];
  readonly #known = new Set<string>();

  constructor(input: unknown) {
    const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
    this.#input = isObject ? (input as Readonly<Record<string, unknown>>) : {};
    if (!isObject) this.#faults.push("the settings must be an object");
  }

  /** Required unless there is a fallback. `charset` names what a text may consist of, where not every character will do. */
  text(key: string, rule: TextRule): string {
    const what = rule.what === undefined ? "" : `: ${rule.what}`;
    const value = this.#value(key);
    if (value === undefined) {
      if (rule.fallback === undefined) this.fault(key, `is missing${what}`);
      return rule.fallback ?? "";
    }
    if (value === "" && rule.fallback === undefined) {
      this.fault(key, `is empty${what}`);
      return "";
    }
    if (typeof value !== "string") {
      this.fault(key, `must be a text in quotes${what}`);
      return "";
    }
    if (value.length > rule.max) this.fault(key, `has ${value.length} characters, ${rule.max} are allowed${what}`);
    if (rule.charset && !rule.charset.allowed.test(value)) this.fault(key, rule.charset.fault);
    return value;
  }

  integer(key: string, rule: { readonly min: number; readonly max: number; readonly fallback: number }): number {
    const value = this.#value(key);
    if (value === undefined) return rule.fallback;
    if (typeof value === "number" && Number.isInteger(value) && value >= rule.min && value <= rule.max) return value;
    this.fault(key, `must be a whole number from ${rule.min} to ${rule.max}`);
    return rule.fallback;
  }

  /** The first choice is the fallback. */
  choice<T extends string>(key: string, choices: readonly [T, ...T[]]): T {
    const value = this.#value(key);
    if (value === undefined) return choices[0];
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined)
      this.fault(key, `must be one of ${choices.map((choice) => `"${choice}"`).join(", ")}${near(value, choices)}`);
    return chosen ?? choices[0];
  }

  /** False when absent. */
  flag(key: string): boolean {
    const value = this.#value(key);
    if (value !== undefined && typeof value !== "boolean") this.fault(key, "must be true or false");
    return value === true;
  }

  /** `parse` answers with the value, or with a text that says what it must be. */
  custom<T extends object | number | null>(key: string, fallback: T, parse: (value: unknown) => T | string): T {
    const value = this.#value(key);
    if (value === undefined) return fallback;
    const parsed = parse(value);
    if (typeof parsed !== "string") return parsed;
    this.fault(key, `must be ${parsed}`);
    return fallback;
  }

  fault(key: string, detail: string): void {
    this.#faults.push(`${key} ${detail}`);
  }

  /** All faults, with the keys that no reader asked for. */
  faults(): readonly string[] {
    const unknown = Object.keys(this.#input).filter((key) => !this.#known.has(key));
    const free = [...this.#known].filter((key) => !Object.hasOwn(this.#input, key));
    // Of a slip one hears once: by the name that is wrong.
    const misspelt = new Set(unknown.map((key) => `${nearest(key, free)[0]} is missing`));
    return [
      ...this.#faults.filter((fault) => ![...misspelt].some((missing) => fault.startsWith(missing))),
      ...unknown.map((key) => unknownSetting(key, [...this.#known])),
    ];
  }

  #value(key: string): unknown {
    this.#known.add(key);
    return Object.hasOwn(this.#input, key) ? this.#input[key] : undefined;
  }
}

const unknownSetting = (key: string, known: readonly string[]): string =>
  `${key} is not a setting${near(key, known) || `; known are ${known.join(", ")}`}`;

const near = (value: unknown, choices: readonly string[]): string =>
  typeof value === "string" && nearest(value, choices).length > 0 ? `. ${meant(value, choices)}` : "";
