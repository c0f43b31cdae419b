import { BOILERPLATE_FILE, type FileTree } from "../plugin/index.ts";

/** Returns the comment at the top of new source files, with an empty line after it, or nothing. */
export function boilerplateOf(tree: FileTree): string {
  // Whatever line ends a checkout gave the file: those of new files are line feeds.
  const text = (tree.read(BOILERPLATE_FILE) ?? "").trim().replaceAll("\r\n", "\n");
  return text === "" ? "" : `${text}\n\n`;
}

/** Returns the text of a comment block without its comment signs. */
export function commentText(comment: string): string {
  return comment
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\*+|\*+\/|\*|\/\/)?\s?/u, "").replace(/\s*\*+\/\s*$/u, ""))
    .join("\n")
    .trim();
}
