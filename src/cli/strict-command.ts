import { Argument, Command, type HelpContext, InvalidArgumentError, type Option } from "commander";

/** Standard input as an option's value: the only value that may start with a dash as it is. */
const STDIN = "-";

const EMPTY = "has an empty value. Is its variable set?";

/**
 * Commander takes the next argument as an option's value: `--subject --json` would search for the subject "--json", and
 * `--subject "$ID"` without an ID for "". This class refuses a missing or empty value. One that starts with a dash is written
 * `--name=-value`.
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

  /** A group without a command lists its commands: not an error, so on standard output with exit code 0. */
  override help(asked?: HelpContext | ((text: string) => string)): never {
    return typeof asked === "function" ? super.help(asked) : super.help({ error: false });
  }

  /** A group's help is not the help of a word that is none of its commands: `orders find --help`. */
  override outputHelp(context?: HelpContext | ((text: string) => string)): void {
    if (this.commands.length > 0 && this.args[0] !== undefined && !this.args[0].startsWith("-"))
      (this as unknown as CommanderInside).unknownCommand();
    super.outputHelp(context as HelpContext);
  }

  #refuse({ flags }: Option, detail: string): never {
    this.error(`error: option '${flags}' ${detail}`, { code: "commander.optionMissingArgument" });
  }
}

/** Commander's refusal of a word that is no command, with the command that was meant; not in its types. */
interface CommanderInside {
  unknownCommand(): never;
}

/** An argument that is never empty, whatever parses it. */
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

/** Splits `--name=value`; the value is undefined if it is a separate argument. */
function splitAtEquals(text: string): readonly [name: string, value?: string] {
  const at = text.startsWith("--") ? text.indexOf("=") : -1;
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
