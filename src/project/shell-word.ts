/** Returns a word as a shell reads it: in quotes if it is empty, or has characters that mean something to a shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Returns the flags that name a kind, for commands in hints. */
export function gvkFlags(gvk: {
  readonly group?: string | undefined;
  readonly version: string;
  readonly kind: string;
}): string {
  return `--group ${shellWord(gvk.group ?? "")} --version ${shellWord(gvk.version)} --kind ${shellWord(gvk.kind)}`;
}
