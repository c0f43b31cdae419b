/** Returns what stands behind `name=` in a marker for a list. */
export function listWord(values: readonly string[]): string {
  return values.map((value) => (value === "" ? '""' : word(value))).join(";");
}

/** Returns what stands behind `name=` in a marker for a text. */
export function word(value: string): string {
  return /^[\w./:*-]+$/u.test(value) ? value : JSON.stringify(value);
}

/** Returns a marker with its arguments; those without a value are left out. */
export function markerLine(name: string, args: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(args).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  return `+kubebuilder:${name}:${given.join(",")}`;
}
