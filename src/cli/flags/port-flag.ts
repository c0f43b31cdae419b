import { InvalidFlagError } from "../command/errors.ts";

/** Returns the port of a flag; 0 for a free one. Fails: {@link InvalidFlagError}. */
export function portOf(text: string, flag: string): number {
  const port = Number(text);
  if (!/^\d+$/u.test(text) || port > 65_535) {
    throw new InvalidFlagError(`invalid value "${text}" for flag --${flag}: not a port`, {
      hint: "pass a number from 0 to 65535",
    });
  }
  return port;
}
