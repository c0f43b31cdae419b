import { type CommandFlag, type FlagsOf, readFlags } from "../command/define-command.ts";
import { InvalidFlagError } from "../command/errors.ts";

/** Takes the flags of a command, which have values, out of words that are otherwise those of another program. Fails: {@link InvalidFlagError}. */
export function splitWords<const Flags extends readonly CommandFlag[]>(
  declared: Flags,
  given: readonly string[],
): { readonly flags: FlagsOf<Flags>; readonly words: readonly string[] } {
  const flags: Record<string, string> = {};
  const words: string[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const word = given[index] ?? "";
    const flag = declared.find(({ name }) => word === `--${name}` || word.startsWith(`--${name}=`));
    if (flag === undefined) {
      if (word !== "--") words.push(word);
      continue;
    }
    const value = word.includes("=") ? word.slice(word.indexOf("=") + 1) : given[(index += 1)];
    if (value === undefined) {
      throw new InvalidFlagError(`flag needs an argument: --${flag.name}`, { hint: `write --${flag.name} <value>` });
    }
    flags[flag.name] = value;
  }
  return { flags: readFlags(declared, flags), words };
}
