import { nearestName } from "@kubescaffold/platform";

import { InvalidArgumentsError } from "../failures/errors.ts";

/** A flag of the commands for binaries. */
interface Flag {
  readonly name: string;
  /** One character after a single dash. */
  readonly short?: string;
  /** A switch needs no value. */
  readonly kind: "switch" | "text";
  /** Values that are allowed. Default: all. */
  readonly values?: readonly string[];
  /** The placeholder of the value in the help. */
  readonly value?: string;
  readonly help: string;
}

/** The forms in which a folder is printed. */
export const PRINTED_FORMS = ["overview", "path", "env"] as const;

const LOG_LEVELS = ["debug", "info", "warn", "error", "dpanic", "panic", "fatal"] as const;

/** The flags of setup-envtest, and `--output` and `--stand-ins`. */
export const FLAGS: readonly Flag[] = [
  {
    name: "print",
    short: "p",
    kind: "text",
    values: PRINTED_FORMS,
    help: "print an overview, the path, or a line for shells (overview)",
  },
  { name: "installed-only", short: "i", kind: "switch", help: "use the store alone, and no network (false)" },
  { name: "force", kind: "switch", help: "download binaries that the store has (false)" },
  { name: "verify", kind: "switch", help: "verify archives against the hashes of the index (true)" },
  { name: "use-env", kind: "switch", help: "use KUBEBUILDER_ASSETS if it has the binaries (false)" },
  { name: "os", kind: "text", value: "name", help: "operating system, or * for all (that of this machine)" },
  { name: "arch", kind: "text", value: "name", help: "architecture, or * for all (that of this machine)" },
  { name: "bin-dir", kind: "text", value: "folder", help: "store folder (that of setup-envtest)" },
  { name: "index", kind: "text", value: "url", help: "index of archives (that of controller-tools)" },
  { name: "stand-ins", kind: "switch", help: "sideload the stand-ins of setup (false)" },
  { name: "output", kind: "text", values: ["text", "json"], help: "output format: text or json (text)" },
  {
    name: "v",
    short: "v",
    kind: "text",
    values: [...LOG_LEVELS, ...LOG_LEVELS.map((level) => level.toUpperCase())],
    help: "log level: debug and info report downloads (warn)",
  },
  { name: "help", short: "h", kind: "switch", help: "print this help (false)" },
];

/** The arguments of a command: words, and the values of flags. */
export interface ParsedArguments {
  readonly words: readonly string[];
  readonly switches: ReadonlyMap<string, boolean>;
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Parses arguments like setup-envtest: flags before and after words, `--name=value`, `--name value`, `-p path`, `-ppath`, and `-ip path`; the last value wins.
 *
 * Fails: {@link InvalidArgumentsError} for an unknown flag, and a missing or invalid value.
 */
export function parseArguments(args: readonly string[]): ParsedArguments {
  const words: string[] = [];
  const switches = new Map<string, boolean>();
  const texts = new Map<string, string>();
  const waiting = [...args];
  const set = (flag: Flag, shown: string, given: string | undefined): void => {
    if (flag.kind === "switch") switches.set(flag.name, readSwitch(shown, given ?? "true"));
    else texts.set(flag.name, readText(flag, shown, given ?? waiting.shift()));
  };
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === "--") return { words: [...words, ...waiting], switches, texts };
    if (word === "-" || !word.startsWith("-")) words.push(word);
    else if (word.startsWith("--")) setLong(word, set);
    else setShort(word, set);
  }
  return { words, switches, texts };
}

type SetFlag = (flag: Flag, shown: string, given: string | undefined) => void;

function setLong(word: string, set: SetFlag): void {
  const end = word.includes("=") ? word.indexOf("=") : word.length;
  const shown = word.slice(0, end);
  const flag = FLAGS.find(({ name }) => `--${name}` === shown);
  if (flag === undefined) throw unknownFlag(shown);
  set(flag, shown, end === word.length ? undefined : word.slice(end + 1));
}

// A switch may be followed by other flags; the rest of the word is the value of a text.
function setShort(word: string, set: SetFlag): void {
  let rest = word.slice(1);
  while (rest !== "") {
    const shown = `-${rest.slice(0, 1)}`;
    const flag = FLAGS.find(({ short }) => short === rest[0]);
    if (flag === undefined) throw unknownFlag(shown);
    const isGiven = rest[1] === "=" || (flag.kind === "text" && rest.length > 1);
    set(flag, shown, isGiven ? rest.slice(rest[1] === "=" ? 2 : 1) : undefined);
    rest = isGiven ? "" : rest.slice(1);
  }
}

const TRUE = new Set(["1", "t", "T", "true", "TRUE", "True"]);
const FALSE = new Set(["0", "f", "F", "false", "FALSE", "False"]);

function readSwitch(shown: string, value: string): boolean {
  if (TRUE.has(value)) return true;
  if (FALSE.has(value)) return false;
  throw new InvalidArgumentsError(`invalid value "${value}" for flag ${shown}: not true or false`);
}

function readText({ values }: Flag, shown: string, value: string | undefined): string {
  if (value === undefined) throw new InvalidArgumentsError(`flag ${shown} needs a value`);
  if (values !== undefined && !values.includes(value)) {
    throw new InvalidArgumentsError(`invalid value "${value}" for flag ${shown}`, {
      hint: `use ${new Intl.ListFormat("en-US", { type: "disjunction" }).format(values.filter((each) => each === each.toLowerCase()))}`,
    });
  }
  return value;
}

function unknownFlag(shown: string): InvalidArgumentsError {
  const nearest = nearestName(
    shown,
    FLAGS.map(({ name }) => `--${name}`),
  );
  const hint = nearest === undefined || shown.length < 3 ? "run `envtest --help`" : `did you mean ${nearest}?`;
  return new InvalidArgumentsError(`unknown flag ${shown}`, { hint });
}
