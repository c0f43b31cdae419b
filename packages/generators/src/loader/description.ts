/**
 * Turns the lines of a JSDoc block into the description of a schema.
 *
 * It ends at the first block tag or a line of dashes; lines that start with TODO and markers are omitted.
 */
export function describeDocLines(lines: readonly string[]): string {
  const text = joinLines(withoutTags(lines).filter((line) => !line.trimStart().startsWith("+")));
  return filterNotes(text)
    .join("\n")
    .replaceAll(LINK, (_, inner: string) => linkText(inner));
}

const LINK = /\{@link(?:code|plain)?\s+([^\s{}][^{}]*)\}/gu;

function withoutTags(lines: readonly string[]): readonly string[] {
  let isInFence = false;
  const end = lines.findIndex((line) => {
    if (isFence(line.trimStart())) isInFence = !isInFence;
    return !isInFence && /^\s*@[A-Za-z]/u.test(line);
  });
  return withoutMargin(end === -1 ? lines : lines.slice(0, end));
}

// One blank after the star is not part of the text, nor are blanks at its end; other spaces are.
function withoutMargin(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line.startsWith(" ") ? line.slice(1) : line).replace(/(?<![ \t\r])[ \t\r]+$/u, ""));
}

// Runs of empty lines become one, those at both ends vanish.
function joinLines(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const line of lines) {
    if (line !== "" || (joined.length > 0 && joined.at(-1) !== "")) joined.push(line);
  }
  if (joined.at(-1) === "") joined.pop();
  return joined;
}

function filterNotes(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let isInFence = false;
  for (const line of lines) {
    if (isFence(line)) isInFence = !isInFence;
    if (!isInFence && line.startsWith("TODO")) continue;
    if (!isInFence && line.startsWith("---")) break;
    kept.push(line);
  }
  return kept;
}

function isFence(line: string): boolean {
  return line.startsWith("```") || line.startsWith("~~~");
}

function linkText(inner: string): string {
  const [target = "", ...text] = inner.trim().split(/\s+(?:\|\s*)?|\|\s*/u);
  return text.length === 0 ? target : text.join(" ");
}
