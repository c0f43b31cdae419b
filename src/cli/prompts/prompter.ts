import process from "node:process";
import type { Writable } from "node:stream";

import { type CANCEL_SYMBOL, isCancel, multiselect, select, text, updateSettings } from "@clack/prompts";

import type { Asker, Choice, TextQuestion } from "../command/asker.ts";
import { CancelledError, describeProblem } from "../command/errors.ts";
import type { Terminal } from "../command/terminal.ts";

/** Returns who puts questions at a terminal. */
export function createAsker({ conversation }: Pick<Terminal, "conversation">): Asker {
  // The end of the input, typed, breaks a question off as the end of the stream does.
  updateSettings({ aliases: { "\u0004": "cancel" } });
  const { input = process.stdin, output = process.stdout } = conversation ?? {};
  assumeWidth(output);
  const put: Put = async (question) => {
    const gone = new AbortController();
    const abort = (): void => gone.abort();
    for (const event of ["end", "close"]) input.once(event, abort);
    try {
      if (input.readableEnded || input.destroyed) throw new CancelledError();
      const answer = await question({ input, output, signal: gone.signal });
      if (isCancel(answer)) throw new CancelledError();
      return answer;
    } finally {
      for (const event of ["end", "close"]) input.off(event, abort);
    }
  };
  return askerOf(put);
}

const USUAL_WIDTH = 80;

// A terminal that does not know how wide it is, as a container's may not, says 0: every letter would get its own line.
function assumeWidth(output: Writable & { columns?: number }): void {
  if (output.columns === 0) output.columns = USUAL_WIDTH;
}

type Streams = Pick<Parameters<typeof text>[0], "input" | "output" | "signal">;
type Cancelled = typeof CANCEL_SYMBOL;
type Put = <T>(question: (streams: Streams) => Promise<T | Cancelled>) => Promise<T>;

function askerOf(put: Put): Asker {
  return {
    text: (question) => put((streams) => askText(question, streams)),
    yesNo: async (message, fallback) => {
      const shown = `${message} [${fallback ? "Y/n" : "y/N"}]`;
      const answer = await put((streams) =>
        askText({ message: shown, fallback: fallback ? "yes" : "no", check: checkYesNo }, streams),
      );
      return /^y/iu.test(answer.trim());
    },
    one: async (message, choices) => {
      const index = await put((streams) => select({ ...streams, message, options: optionsOf(choices) }));
      const [chosen] = choices.slice(index, index + 1);
      if (chosen === undefined) throw new CancelledError();
      return chosen.value;
    },
    several: async (message, choices) => {
      const shown = `${message} (space to select, enter to confirm)`;
      const chosen = await put((streams) =>
        multiselect({ ...streams, message: shown, options: optionsOf(choices), required: true }),
      );
      return choices.filter((_, index) => chosen.includes(index)).map(({ value }) => value);
    },
  };
}

interface Numbered {
  readonly value: number;
  readonly label: string;
  readonly hint?: string;
}

function optionsOf(choices: readonly Choice<unknown>[]): Numbered[] {
  return choices.map(({ label, hint }, value) => ({ value, label, ...(hint === undefined ? {} : { hint }) }));
}

function checkYesNo(answer: string): void {
  if (!/^(?:y|yes|n|no)$/iu.test(answer)) throw new Error("Enter y or n.");
}

function askText({ message, fallback, check }: TextQuestion, streams: Streams): Promise<string | Cancelled> {
  return text({
    ...streams,
    message,
    ...(fallback === undefined ? {} : { placeholder: fallback, defaultValue: fallback }),
    validate: (answer) => problemWith((answer ?? "").trim() || (fallback ?? ""), check),
  }).then((answer) => (typeof answer === "string" ? answer.trim() : answer));
}

function problemWith(answer: string, check: TextQuestion["check"]): string | undefined {
  try {
    check?.(answer);
    return undefined;
  } catch (error) {
    return describeProblem(error);
  }
}
