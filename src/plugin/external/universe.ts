import type { FileTree } from "../../machinery/file-tree.ts";

// Larger than any source or manifest; what is larger is data that no plugin edits.
const MAX_CHARACTERS = 2 ** 20;

/** Returns the texts of the project's files with the planned changes, by path: no binary files, and nothing of git's or of what is installed. */
export function universeOf(tree: FileTree): Readonly<Record<string, string>> {
  return Object.fromEntries(
    tree.files().flatMap((path) => {
      const content = tree.read(path);
      return content === undefined || isData(content) ? [] : [[path, content]];
    }),
  );
}

// What is not UTF-8 reads with this character in place of what it is.
function isData(content: string): boolean {
  return content.length > MAX_CHARACTERS || content.includes("\u0000") || content.includes("\uFFFD");
}
