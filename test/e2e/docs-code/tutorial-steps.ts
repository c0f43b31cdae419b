import { readSource } from "../../architecture/source-files.ts";

/** What a reader of a tutorial does: types a command, pastes a file, or changes one. */
export type TutorialStep =
  | { readonly kind: "command"; readonly line: string }
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "change"; readonly path: string; readonly from: string; readonly to: string };

// The title of a block is the path of a complete file in the project of the reader; parts of files are titled with the path of an example.
const BLOCK = /^```(?:(?<shell>sh)|(?<language>\w+) \[(?!examples\/)(?<path>[^\]\n]+)\])\n(?<text>[\s\S]*?)^```$/gmu;

/** Returns the steps of a tutorial in the order of the page. */
export function stepsOf(page: string): readonly TutorialStep[] {
  return [...page.matchAll(BLOCK)].flatMap(({ groups }): readonly TutorialStep[] => {
    const { path, language, text = "" } = groups ?? {};
    if (path !== undefined && language === "diff") {
      return [{ kind: "change", path, from: linesWithout("+", text), to: linesWithout("-", text) }];
    }
    if (path !== undefined) return [{ kind: "file", path, text }];
    const lines = text.trimEnd().split("\n");
    return lines.map((line) => ({ kind: "command", line: line.replace(/\s#.*$/u, "").trimEnd() }));
  });
}

// The first column of a line of a diff tells whether it is removed or added.
function linesWithout(sign: "+" | "-", text: string): string {
  const lines = text.trimEnd().split("\n");
  return lines.flatMap((line) => (line.startsWith(sign) ? [] : [line.slice(1)])).join("\n");
}

/** Returns the name of the example that is the end state of a tutorial. */
export function exampleOf(page: string): string {
  return /The end state is \[examples\/(?<name>[\w-]+)\]/u.exec(page)?.groups?.["name"] ?? "";
}

/** Returns a tutorial with the complete files as an example has them. */
export function withFilesOf(page: string, example: string): string {
  return page.replaceAll(BLOCK, (block, _shell, language: string | undefined, path: string | undefined, text: string) =>
    path === undefined || language === "diff"
      ? block
      : block.replace(text, () => ownText(readSource(`examples/${example}/${path}`))),
  );
}

/** Returns the text of an example's file as in a project of a reader, whose license names no authors. */
export function ownText(text: string): string {
  return text.replace("Copyright 2026 The Kubescaffold authors.", "Copyright 2026.");
}
