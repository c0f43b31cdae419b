import type { Flag, FlagValues } from "../../plugin/flag.ts";
import type { Answers, Asking, Command, Invocation } from "./command.ts";
import { InvalidFlagError } from "./errors.ts";

/** A flag of a command of this program. */
export interface CommandFlag extends Flag {
  /** Whether an empty value means something; any other flag that is present has a value. */
  readonly mayBeEmpty?: boolean;
  /** Whether commas belong to the values of a list; otherwise they separate them. */
  readonly keepsCommas?: boolean;
}

/** The values of declared flags. A flag that was not given is undefined; a list is then empty. */
export type FlagsOf<Flags extends readonly CommandFlag[]> = {
  readonly [Each in Flags[number] as Each["name"]]: Each extends
    | { readonly isRequired: true }
    | { readonly kind: "list" }
    ? ValueOf<Each>
    : ValueOf<Each> | undefined;
};

type ValueOf<Each> = Each extends { readonly kind: "boolean" }
  ? boolean
  : Each extends { readonly kind: "list" }
    ? readonly string[]
    : Each extends { readonly values: readonly (infer Value)[] }
      ? Value
      : string;

/** What prompts for missing values know: flags that the command requires may be missing, too. */
interface FlagAsking<Flags extends readonly CommandFlag[]> extends Asking, Pick<Invocation, "pluginFlags"> {
  readonly flags: { readonly [Each in Flags[number] as Each["name"]]: ValueOf<Each> | undefined };
}

/** A command whose flags are read once: `run` and all below it see the options that `parse` returns. */
interface CommandDefinition<Flags extends readonly CommandFlag[], Options> extends Omit<
  Command,
  "flags" | "ask" | "run"
> {
  readonly flags: Flags;
  /** Asks for what is missing, at a terminal; nothing is locked or written meanwhile. */
  readonly ask?: (asking: FlagAsking<Flags>) => Promise<Answers>;
  /** Returns what the flags ask for. Fails: {@link InvalidFlagError} for a value that the command cannot use; nothing has happened then. */
  readonly parse: (flags: FlagsOf<Flags>, invocation: Invocation) => Options | Promise<Options>;
  /** Runs the command and returns the exit status. */
  readonly run: (options: Options, invocation: Invocation) => Promise<number>;
}

/** Returns a command of typed options, as the list of commands has it. */
export function defineCommand<const Flags extends readonly CommandFlag[], Options>({
  ask,
  parse,
  run,
  ...command
}: CommandDefinition<Flags, Options>): Command {
  const { pluginCommand } = command;
  return {
    ...command,
    ...(ask === undefined
      ? {}
      : {
          ask: async ({ flags, ...asking }) =>
            ask({
              ...asking,
              flags: readValues(command.flags, flags) as FlagAsking<Flags>["flags"],
              pluginFlags: pluginCommand === undefined ? {} : flags,
            }),
        }),
    run: async ({ flags, ...invocation }) => run(await parse(readFlags(command.flags, flags), invocation), invocation),
  };
}

/**
 * Returns the values of declared flags. Flags that plugins declare are not among them.
 *
 * Fails: {@link InvalidFlagError} for a flag that is present but empty and must not be.
 */
export function readFlags<const Flags extends readonly CommandFlag[]>(
  declared: Flags,
  given: FlagValues,
): FlagsOf<Flags> {
  return readValues(declared, given) as FlagsOf<Flags>;
}

function readValues(declared: readonly CommandFlag[], given: FlagValues): FlagValues {
  return Object.fromEntries(declared.map((flag) => [flag.name, readFlag(flag, given[flag.name])]));
}

function readFlag(flag: CommandFlag, value: FlagValues[string]): FlagValues[string] {
  if (flag.kind === "list") return readList(flag, Array.isArray(value) ? (value as readonly string[]) : undefined);
  if (typeof value === "string" && value.trim() === "" && flag.mayBeEmpty !== true) throw emptyFlag(flag);
  return value;
}

function readList(flag: CommandFlag, given: readonly string[] | undefined): readonly string[] {
  if (given === undefined || flag.keepsCommas === true) return given ?? [];
  const values = given
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
  if (values.length === 0) throw emptyFlag(flag);
  return values;
}

function emptyFlag({ name }: Flag): InvalidFlagError {
  return new InvalidFlagError(`flag --${name} is present but empty`, { hint: "set a value, or omit the flag" });
}
