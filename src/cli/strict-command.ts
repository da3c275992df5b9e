import { Argument, Command, type HelpContext, InvalidArgumentError, type Option } from "commander";

/** What stands for the standard input. It is the one value of an option that begins with a dash as it is. */
const STDIN = "-";

const EMPTY = "has an empty value. Is the variable that it comes from set?";

/**
 * Commander gives an option whatever stands next: `--subject --json` would look for the subject "--json", and `--subject "$ID"`
 * with no ID for "". Here a value that is missing or empty is refused. One that begins with a dash is written `--name=-value`.
 */
export class StrictCommand extends Command {
  override createCommand(name?: string): Command {
    return new StrictCommand(name);
  }

  override createArgument(name: string, description?: string): Argument {
    return new StrictArgument(name, description);
  }

  override parseOptions(args: string[]): ReturnType<Command["parseOptions"]> {
    for (let index = 0; index < args.length && args[index] !== "--"; index += 1) {
      const [given, joined] = splitAtEquals(args[index]!);
      const option = this.options.find((known) => known.required && (known.long === given || known.short === given));
      if (!option) continue;
      const value = joined ?? args[index + 1];
      if (joined === undefined) index += 1;
      if (value === undefined) this.#refuse(option, "argument missing");
      else if (value === "") this.#refuse(option, EMPTY);
      else if (joined === undefined && value.startsWith("-") && value !== STDIN)
        this.#refuse(
          option,
          `argument missing: "${value}" stands in its place. A value that begins with a dash is written ${given}=${value}`,
        );
    }
    return super.parseOptions(args);
  }

  /** Who calls a group without one of its commands asks which there are: no error, so on the standard output with exit code 0. */
  override help(asked?: HelpContext | ((text: string) => string)): never {
    return typeof asked === "function" ? super.help(asked) : super.help({ error: false });
  }

  #refuse({ flags }: Option, detail: string): never {
    this.error(`error: option '${flags}' ${detail}`, { code: "commander.optionMissingArgument" });
  }
}

/** An argument that is never empty, whatever reads it. */
class StrictArgument extends Argument {
  constructor(name: string, description?: string) {
    super(name, description);
    this.argParser<unknown>((value, previous) =>
      this.variadic ? [...((previous as readonly string[] | undefined) ?? []), value] : value,
    );
  }

  override argParser<T>(read: (value: string, previous: T) => T): this {
    return super.argParser<T>((value, previous) => {
      if (value === "") throw new InvalidArgumentError(`It ${EMPTY}`);
      return read(value, previous);
    });
  }
}

/** `--name=value` in its two parts; the value is undefined where it is an argument of its own. */
function splitAtEquals(text: string): readonly [name: string, value?: string] {
  const at = text.startsWith("--") ? text.indexOf("=") : -1;
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
