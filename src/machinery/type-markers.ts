import { ts } from "ts-morph";

/** A marker in the comment of a type. */
export interface TypeMarker {
  /** The name of the interface, class or type alias. */
  readonly type: string;
  /** The marker with its plus sign, such as `+kubebuilder:storageversion`. */
  readonly marker: string;
}

/**
 * Adds a marker to the comment of a type, below its other markers; found by syntax, so that a file may hold several types.
 *
 * Returns nothing when the file has no such type with a comment. Guarantees: a marker that is there already is not added again.
 */
export function addTypeMarker(text: string, { type, marker }: TypeMarker): string | undefined {
  const comment = commentOf(text, type);
  if (comment === undefined) return undefined;
  const lines = comment.text.split(/\r?\n/u);
  if (lines.some((line) => isMarkerLine(line, marker))) return text;
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const last = lines.findLastIndex((line) => /^\s*\*\s*\+/u.test(line));
  const at = last < 0 ? lines.length - 1 : last + 1;
  const changed =
    lines.length === 1
      ? comment.text
          .replace(/(?<!\s)\s*\*\/$/u, `${lineEnd} * ${marker}${lineEnd} */`)
          .replace(/^\/\*\*\s*/u, `/**${lineEnd} * `)
      : lines.toSpliced(at, 0, `${/^\s*/u.exec(lines[1] ?? "")?.[0] ?? " "}* ${marker}`).join(lineEnd);
  return text.slice(0, comment.start) + changed + text.slice(comment.end);
}

/** Takes a marker out of the comment of a type; returns nothing when it is not there. */
export function removeTypeMarker(text: string, { type, marker }: TypeMarker): string | undefined {
  const comment = commentOf(text, type);
  if (comment === undefined) return undefined;
  const lines = comment.text.split("\n");
  const at = lines.findIndex((line) => isMarkerLine(line, marker));
  if (at < 0) return undefined;
  return text.slice(0, comment.start) + lines.toSpliced(at, 1).join("\n") + text.slice(comment.end);
}

interface Comment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function commentOf(text: string, type: string): Comment | undefined {
  const source = ts.createSourceFile("types.ts", text, ts.ScriptTarget.Latest, true);
  const declaration = source.statements.find(
    (statement) =>
      (ts.isInterfaceDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        ts.isTypeAliasDeclaration(statement)) &&
      statement.name?.text === type,
  );
  if (declaration === undefined) return undefined;
  const range = (ts.getLeadingCommentRanges(text, declaration.getFullStart()) ?? []).findLast(({ pos }) =>
    text.startsWith("/**", pos),
  );
  return range === undefined ? undefined : { start: range.pos, end: range.end, text: text.slice(range.pos, range.end) };
}

function isMarkerLine(line: string, marker: string): boolean {
  return line.replace(/^\s*\*\s*/u, "").trim() === marker;
}
