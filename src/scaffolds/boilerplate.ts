import { BOILERPLATE_FILE, type FileTree, headerOf } from "../plugin/index.ts";

/** Returns the comment at the top of new source files, with an empty line after it, or nothing. Fails: `BoilerplateError`. */
export function boilerplateOf(tree: FileTree): string {
  return headerOf(tree.read(BOILERPLATE_FILE) ?? "");
}

/** Returns the text of a comment block without its comment signs. */
export function commentText(comment: string): string {
  return comment
    .split("\n")
    .map((line) => withoutEnd(line.replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/)?\s?/u, "")))
    .join("\n")
    .trim();
}

function withoutEnd(line: string): string {
  const text = line.trimEnd();
  return text.endsWith("*/")
    ? text
        .slice(0, -1)
        .replace(/(?<!\*)\*+$/u, "")
        .trimEnd()
    : line;
}
