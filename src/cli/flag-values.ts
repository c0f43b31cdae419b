import type { FlagValues } from "../plugin/flag.ts";
import { InvalidFlagError } from "./errors.ts";

/** Returns the text of a flag, or nothing when it was not given. Fails: {@link InvalidFlagError} when it is empty and must not be. */
export function textFlag(
  flags: FlagValues,
  name: string,
  options: { readonly mayBeEmpty?: boolean } = {},
): string | undefined {
  const value = flags[name];
  if (typeof value !== "string") return undefined;
  if (value.trim() === "" && options.mayBeEmpty !== true) {
    throw new InvalidFlagError(`flag --${name} is present but empty`, { hint: "give it a value, or leave it out" });
  }
  return value;
}

/** Returns whether a switch is on, or nothing when it was not given. */
export function switchFlag(flags: FlagValues, name: string): boolean | undefined {
  const value = flags[name];
  return typeof value === "boolean" ? value : undefined;
}

/** Returns the values of a flag that may be given several times, or with commas. */
export function listFlag(flags: FlagValues, name: string): readonly string[] {
  const value = flags[name];
  if (!Array.isArray(value)) return [];
  return (value as readonly string[])
    .flatMap((each) => each.split(","))
    .map((each) => each.trim())
    .filter((each) => each !== "");
}
