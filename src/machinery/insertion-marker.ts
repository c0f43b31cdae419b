import { InsertionPointMissingError } from "./errors.ts";

/** Lines to be inserted above an insertion marker of a file, such as `+kubebuilder:scaffold:imports`. */
export interface Fragment {
  readonly path: string;
  /** The name after `+kubebuilder:scaffold:`. */
  readonly marker: string;
  readonly lines: readonly string[];
  /** Where the marker of the name occurs more than once, the text that the line above it has to contain; all of them when left out. */
  readonly position?: "above" | "below";
}

/**
 * Inserts lines at an insertion marker, with the marker's indentation in front of each.
 *
 * The marker is found whatever the formatting around it: any comment sign, spacing and indentation. Guarantees: lines that are in the file
 * already, one after the other and whatever their indentation and quotes, are not inserted again; line ends stay as they are in the file.
 * Fails: {@link InsertionPointMissingError} that says what to insert where.
 */
export function insertAtMarker(content: string, fragment: Fragment): string {
  if (containsLines(content, fragment.lines)) return content;
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  const lines = content.split(/\r?\n/u);
  const index = lines.findIndex((line) => isMarker(line, fragment.marker));
  if (index < 0) throw missing(fragment);
  const indent = /^\s*/u.exec(lines[index] ?? "")?.[0] ?? "";
  const inserted = fragment.lines.map((line) => (line === "" ? "" : indent + line));
  lines.splice(fragment.position === "below" ? index + 1 : index, 0, ...inserted);
  return lines.join(lineEnd);
}

/** Says whether a file has the insertion marker of this name. */
export function hasMarker(content: string, marker: string): boolean {
  return content.split(/\r?\n/u).some((line) => isMarker(line, marker));
}

/** Says whether a line is the insertion marker of this name, whatever its comment sign and spacing. */
export function isMarker(line: string, marker: string): boolean {
  const comment =
    /^\s*(?:\/\/|#|\/?\*+|<!--)\s*\+\s*kubebuilder\s*:\s*scaffold\s*:\s*(?<name>[\w-]+)\s*(?:\*\/|-->)?\s*$/u.exec(
      line,
    );
  return comment?.groups?.["name"] === marker;
}

/** Says whether lines stand in a text one after the other; indentation, empty lines, quotes, trailing commas and semicolons do not count. */
export function containsLines(content: string, lines: readonly string[]): boolean {
  const wanted = lines.map((line) => comparable(line)).filter((line) => line !== "");
  const present = content
    .split(/\r?\n/u)
    .map((line) => comparable(line))
    .filter((line) => line !== "");
  if (wanted.length === 0) return true;
  if (present.some((_, start) => wanted.every((line, offset) => present[start + offset] === line))) return true;
  // A formatter may have broken or joined the lines of code: then the text without any white space still holds them. Entries of a list, which have
  // no brackets, would be found inside longer ones.
  return /[({]/u.test(wanted.join("")) && squeezed(present).includes(squeezed(wanted));
}

/** Returns a line without what formatters change: indentation, kind of quotes, and the sign at its end. */
export function comparable(line: string): string {
  return line.trim().replaceAll(/["'`]/gu, '"').replaceAll(/\s+/gu, " ").replace(/[;,]$/u, "");
}

function squeezed(lines: readonly string[]): string {
  return lines.join("").replaceAll(/[\s;,]/gu, "");
}

function missing({ path, marker, lines }: Fragment): InsertionPointMissingError {
  const sign = /\.(?:ya?ml|sh)$|(?:^|\/)(?:Dockerfile|Makefile)$/u.test(path) ? "#" : "//";
  const what = `the insertion marker \`${sign} +kubebuilder:scaffold:${marker}\``;
  return new InsertionPointMissingError({ path, what, lines: [...lines, `${sign} +kubebuilder:scaffold:${marker}`] });
}
