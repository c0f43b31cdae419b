import { parseGeneratorArguments } from "./parse-arguments.ts";

/** Returns the folders and files that the paths of a command line begin in, for those who watch them. */
export function sourceFolders(words: readonly string[]): readonly string[] {
  const { paths } = parseGeneratorArguments(words);
  return [
    ...new Set(paths.map((each) => each.replace(/(?:^|\/)\.\.\.$/u, "").replace(/\/?[^/]*[*?[{].*$/u, "") || ".")),
  ];
}
