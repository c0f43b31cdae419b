import { parseGeneratorArguments } from "./parse-arguments.ts";

/** Returns the folders and files that the paths of a command line begin in, for those who watch them. */
export function sourceFolders(words: readonly string[]): readonly string[] {
  const { paths } = parseGeneratorArguments(words);
  return [...new Set(paths.map((each) => folderBeforePattern(each.replace(/(?:^|\/)\.\.\.$/u, "")) || "."))];
}

function folderBeforePattern(each: string): string {
  const pattern = each.search(/[*?[{]/u);
  return pattern < 0 ? each : each.slice(0, Math.max(each.lastIndexOf("/", pattern), 0));
}
