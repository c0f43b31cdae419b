import process from "node:process";

import { parseGoDuration } from "@kubescaffold/platform";

import { InvalidFlagError } from "../command/errors.ts";

/** Returns the milliseconds of a flag with a duration. Fails: {@link InvalidFlagError}. */
export function durationOf(text: string, flag: string): number {
  const durationMs = parseGoDuration(text);
  if (durationMs !== undefined && durationMs > 0) return durationMs;
  throw new InvalidFlagError(`invalid value ${JSON.stringify(text)} for flag --${flag}: not a duration`, {
    hint: "pass a duration such as 30s or 5m",
  });
}

/** Returns the number of `--seed`. Fails: {@link InvalidFlagError}. */
export function seedOf(text: string): number {
  const seed = Number(text);
  if (/^\d{1,9}$/u.test(text)) return seed;
  throw new InvalidFlagError(`invalid value ${JSON.stringify(text)} for flag --seed: not a seed`, {
    hint: "pass a whole number from 0 to 999999999",
  });
}

/** Returns the variables of `--env`, each given as `NAME=value`, or as the name of a variable of this process. Fails: {@link InvalidFlagError}. */
export function variablesOf(words: readonly string[]): Readonly<Record<string, string>> {
  const pairs = words.map((word) => {
    const { name, value } = /^(?<name>[A-Za-z_]\w*)(?:=(?<value>.*))?$/su.exec(word)?.groups ?? {};
    const text = value ?? (name === undefined ? undefined : process.env[name]);
    if (name !== undefined && text !== undefined) return [name, text] as const;
    throw new InvalidFlagError(`invalid value ${JSON.stringify(word)} for flag --env: no such variable`, {
      hint: "pass NAME=value, or the name of a variable that is set",
    });
  });
  return Object.fromEntries(pairs);
}
