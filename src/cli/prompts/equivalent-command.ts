import type { FlagValues } from "../../plugin/flag.ts";

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
  return words.map((word) => quoted(word)).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
