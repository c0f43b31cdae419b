import { jsonText, quotedText } from "@kubescaffold/generators/typescript";

/** Returns the text behind `name=` in a marker for a list. */
export function listWord(values: readonly string[]): string {
  return values.map((value) => word(value)).join(";");
}

/** Returns the text behind `name=` in a marker for a text. Guarantees: it ends neither the argument nor the line. */
export function word(value: string): string {
  return /^[\w./:*-]+$/u.test(value) ? value : quotedText(value);
}

/** Returns the text behind `name=` in a marker for a value of JSON. */
export function jsonWord(value: unknown): string {
  return `\`${(jsonText(value) ?? "null").replaceAll("`", String.raw`\u0060`)}\``;
}

/** Returns a marker with its arguments; those without a value are omitted. */
export function markerLine(name: string, args: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(args).flatMap(([key, value]) => (value === undefined ? [] : [`${key}=${value}`]));
  return `+kubebuilder:${name}:${given.join(",")}`;
}
