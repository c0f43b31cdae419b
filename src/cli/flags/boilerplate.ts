import { readFileSync } from "node:fs";
import path from "node:path";

import { blockComment, headerProblem, quotedText } from "@kubescaffold/generators/typescript";

import { targetKindSync } from "../../machinery/disk.ts";
import { NotARegularFileError } from "../../machinery/errors.ts";
import type { FlagsOf } from "../command/define-command.ts";
import { InvalidFlagError } from "../command/errors.ts";
import type { LICENSE_FLAG, LICENSE_TEXT_FLAGS } from "./global-flags.ts";

type LicenseFlags = Partial<FlagsOf<readonly [typeof LICENSE_FLAG, ...typeof LICENSE_TEXT_FLAGS]>>;

/** Returns the comment that `--license`, `--owner` and `--license-file` ask for, without a line break at its end; empty for none. */
export function readBoilerplate(
  { license = "apache2", "license-file": file, owner = "" }: LicenseFlags,
  cwd: string,
): string {
  if (file !== undefined) return readComment(path.resolve(cwd, file), file);
  if (blockComment(owner) !== owner) {
    throw new InvalidFlagError(`cannot use the owner ${quotedText(owner)}: it does not fit in a line comment`, {
      hint: "remove */ and line breaks, or pass the complete comment with --license-file",
    });
  }
  const year = new Date().getFullYear();
  const copyright = `Copyright ${year}${owner === "" ? "" : ` ${owner}`}`;
  switch (license) {
    case "none":
      return "";
    case "copyright":
      return `/*\n${copyright}.\n*/`;
    case "apache2":
      // The short form that the license's own users agreed on: it says the same as the long notice.
      return `/*\n${copyright}.\n\nSPDX-License-Identifier: Apache-2.0\n*/`;
  }
}

function readComment(target: string, typed: string): string {
  let text: string;
  try {
    // What never ends is no file.
    if (targetKindSync(target) !== "file") throw new NotARegularFileError(typed, "not a regular file");
    text = headerComment(readFileSync(target, "utf8"));
  } catch (error) {
    throw new InvalidFlagError(`cannot read the license file ${typed}: it does not exist or cannot be read`, {
      hint: "pass --license-file with the path of a file that contains a comment",
      cause: error,
    });
  }
  const problem = headerProblem(text);
  if (problem === undefined) return text;
  const place = `${typed}:${problem.line}:${problem.column}`;
  throw new InvalidFlagError(`cannot use the license file ${place}: ${problem.message}`, {
    hint: "put the text in one comment from /* to */, or start every line with //",
  });
}

/**
 * Returns a comment for the top of new source files, whose lines end in line feeds, whatever those of its file end in.
 *
 * Guarantees: the word YEAR becomes the present year, once: later files say the same as those of today.
 */
export function headerComment(text: string): string {
  return text
    .trim()
    .replaceAll("\r\n", "\n")
    .replaceAll(/(?<= )YEAR\b/gu, String(new Date().getFullYear()));
}
