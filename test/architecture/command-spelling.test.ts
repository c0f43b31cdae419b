/** Messages and hints call the program by one name: the CLI replaces it with the words that the user called it by. */
import { expect, it } from "vitest";

import { listFiles, readSource } from "./source-files.ts";

// In a folder without an installation, or for another version than the installed one, npx downloads the package.
const FROM_ELSEWHERE = /^npx kubescaffold(?:@latest)? (?:init|import project|alpha update)\b/u;
// The first line of a journal is no command.
const COMMAND = /(?<verb>run )?`(?<command>(?:npx )?(?:kube)?scaffold(?:@[\w.]+)? (?!journal)(?=[a-z])[^`$]*)/gu;
const COMMENT = /^\s*(?:\/\/|\/?\*)/u;
// Its errors pass through the CLI, which replaces `scaffold`; other packages are used without it.
const CLI = /^(?:src|bin|plugins|packages\/generators)\//u;

interface Use {
  readonly file: string;
  readonly line: number;
  readonly command: string;
  /** Whether it is to be run, and not only named. */
  readonly isToRun: boolean;
}

const USES: readonly Use[] = ["src", "plugins", "packages"]
  .flatMap((folder) => listFiles(folder))
  .filter((file) => /\/src\/|^src\/|^plugins\//u.test(file) && /\.tsx?$/u.test(file))
  .filter((file) => !/\/generated\/|\/dist\/|\/test\//u.test(file))
  .flatMap((file) =>
    readSource(file)
      .split("\n")
      .flatMap((line, index) =>
        COMMENT.test(line)
          ? []
          : [...line.matchAll(COMMAND)].map(({ groups }) => ({
              file,
              line: index + 1,
              command: groups?.["command"] ?? "",
              isToRun: groups?.["verb"] !== undefined,
            })),
      ),
  );

it("finds the commands in messages", () => {
  expect(USES.length).toBeGreaterThan(50);
});

it("messages of the CLI call the program scaffold, or kubescaffold where npx downloads it", () => {
  const wrong = USES.filter(({ file }) => CLI.test(file)).filter(
    ({ command }) => !/^(?:npx )?scaffold /u.test(command) && !FROM_ELSEWHERE.test(command),
  );
  expect(wrong).toEqual([]);
});

it("messages of the libraries call the program as a shell in the project finds it", () => {
  const wrong = USES.filter(({ file, isToRun }) => isToRun && !CLI.test(file)).filter(
    ({ command }) => !command.startsWith("npx scaffold ") && !FROM_ELSEWHERE.test(command),
  );
  expect(wrong).toEqual([]);
});

// A program without a project is installed globally.
const WITHOUT_PROJECT = /^scaffold apiserver /u;

it("commands of pages can be pasted in a project, which has the program among its dependencies", () => {
  const lines = listFiles("docs")
    .filter((file) => file.endsWith(".md") && file !== "docs/reference/cli.md")
    .flatMap((file) =>
      [...readSource(file).matchAll(/^```(?:sh|bash)\n(?<text>[^]*?)^```/gmu)].map(({ groups }) => ({
        file,
        text: groups?.["text"] ?? "",
      })),
    )
    .flatMap(({ file, text }) => text.split("\n").map((line) => ({ file, line })));
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter(({ line }) => /^(?:[A-Z_]+=\S+ )*scaffold /u.test(line) && !WITHOUT_PROJECT.test(line))).toEqual(
    [],
  );
});
