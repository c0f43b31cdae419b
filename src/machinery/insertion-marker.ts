import { breakLongLine } from "./break-lines.ts";
import { InsertionPointMissingError } from "./errors.ts";
import { comparable, findLines, isCode, squeezed } from "./find-lines.ts";

/** Lines to be inserted above an insertion marker of a file, such as `+kubebuilder:scaffold:imports`. */
export interface Fragment {
  readonly path: string;
  /** The name after `+kubebuilder:scaffold:`. */
  readonly marker: string;
  readonly lines: readonly string[];
  /** Where the marker of the name occurs more than once, the text that the line above it has to contain; all of them when omitted. */
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
  const indented = fragment.lines.map((line) => (line === "" ? "" : indent + line));
  const inserted = fragment.path.endsWith(".ts") ? indented.flatMap((line) => breakLongLine(line)) : indented;
  lines.splice(fragment.position === "below" ? index + 1 : index, 0, ...inserted);
  return lines.join(lineEnd);
}

/** Reports whether a file has the insertion marker of this name. */
export function hasMarker(content: string, marker: string): boolean {
  return content.split(/\r?\n/u).some((line) => isMarker(line, marker));
}

/** Reports whether a line is the insertion marker of this name, whatever its comment sign and spacing. */
export function isMarker(line: string, marker: string): boolean {
  const comment =
    /^\s*(?:\/\/|#|\/?\*+|<!--)\s*\+\s*kubebuilder\s*:\s*scaffold\s*:\s*(?<name>[\w-]+)\s*(?:(?:\*\/|-->)\s*)?$/u.exec(
      line,
    );
  return comment?.groups?.["name"] === marker;
}

/** Reports whether lines are in a text one after the other; what formatters change and empty lines do not count. */
export function containsLines(content: string, lines: readonly string[]): boolean {
  const isFilled = (line: string): boolean => comparable(line) !== "";
  const wanted = lines.filter((line) => isFilled(line));
  if (!content.includes(longestWord(wanted))) return false;
  const present = content.split(/\r?\n/u).filter((line) => isFilled(line));
  if (wanted.length === 0 || findLines(present, wanted).length > 0) return true;
  return isCode(wanted) && squeezed(present).includes(squeezed(wanted));
}

// No formatter breaks a word, so that a text without it has not to be taken apart.
function longestWord(lines: readonly string[]): string {
  const words = lines.flatMap((line) => line.match(/\w+/gu) ?? []);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

function missing({ path, marker, lines }: Fragment): InsertionPointMissingError {
  const sign = /\.(?:ya?ml|sh)$|(?:^|\/)(?:Dockerfile|Makefile)$/u.test(path) ? "#" : "//";
  const what = `the insertion marker \`${sign} +kubebuilder:scaffold:${marker}\``;
  return new InsertionPointMissingError({ path, what, lines: [...lines, `${sign} +kubebuilder:scaffold:${marker}`] });
}
