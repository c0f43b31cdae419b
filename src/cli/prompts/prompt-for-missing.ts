import type { Flag, FlagValues } from "../../plugin/flag.ts";
import { shellWord } from "../../project/shell-word.ts";
import type { Asker } from "../command/asker.ts";
import type { Command, CommandLine } from "../command/command.ts";
import { missingFlags, numberProblem } from "../flags/parse-flags.ts";
import { createAsker } from "./prompter.ts";

/** What is known of a command before it is asked for what is missing. */
interface MissingRequest extends Pick<CommandLine, "flags" | "words" | "cwd" | "terminal"> {
  /** The flags that the command has, those of its plugins among them. */
  readonly known: readonly Flag[];
}

/** What was answered, and the words of a command line that say it. */
interface Answered {
  readonly flags: FlagValues;
  readonly words: readonly string[];
  readonly line: readonly string[];
}

/** Prompts the user for missing values that a command needs. Fails: {@link CancelledError} if the user cancels. */
export async function askForMissing(command: Command, request: MissingRequest): Promise<Answered> {
  const { flags: given, known, terminal } = request;
  const ask = createAsker(terminal);
  const { flags = {}, words = [] } = (await command.ask?.({ ...request, ask })) ?? {};
  const missing = command.ask === undefined ? [] : missingFlags({ ...given, ...flags }, known);
  const others = await askForFlags(
    ask,
    missing.filter(({ name }) => !command.flags.some((own) => own.name === name)),
  );
  const all = { ...flags, ...others };
  return { flags: all, words, line: [...words, ...flagWords(all)] };
}

// Plugins may need their own flags.
async function askForFlags(ask: Asker, missing: readonly Flag[]): Promise<FlagValues> {
  const answers: Record<string, string | boolean | readonly string[]> = {};
  for (const flag of missing) answers[flag.name] = await askForFlag(ask, flag);
  return answers;
}

async function askForFlag(
  ask: Asker,
  { name, kind, help, values }: Flag,
): Promise<string | boolean | readonly string[]> {
  const message = `--${name}: ${help}`;
  if (kind === "boolean") return ask.yesNo(message, false);
  if (values !== undefined)
    return ask.one(
      message,
      values.map((value) => ({ value, label: value })),
    );
  const answer = await ask.text({ message, check: checkerOf(kind) });
  return kind === "list" ? [answer] : answer;
}

function checkerOf(kind: Flag["kind"]): (answer: string) => void {
  return (answer) => {
    if (answer === "") throw new Error("A value is required.");
    const problem = numberProblem(kind, answer);
    if (problem !== undefined) throw new Error(problem);
  };
}

/** Returns flags as the words of a command line that say the same. */
export function flagWords(flags: FlagValues): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value === "boolean") return [value ? `--${name}` : `--${name}=false`];
    const text = typeof value === "string" ? value : value.join(",");
    // An empty word would be lost between the others.
    return text === "" ? [`--${name}=`] : [`--${name}`, text];
  });
}

/** Returns words as a line that a shell reads as these words. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => shellWord(word)).join(" ");
}
