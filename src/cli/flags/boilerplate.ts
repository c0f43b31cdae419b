import { readFileSync } from "node:fs";
import path from "node:path";

import { blockComment, headerProblem, quotedText } from "@kubescaffold/generators/typescript";

import { targetKindSync } from "../../machinery/disk.ts";
import { NotARegularFileError } from "../../machinery/errors.ts";
import type { Invocation } from "../command/command.ts";
import { InvalidFlagError } from "../command/errors.ts";
import { textFlag } from "./flag-values.ts";

/** Reports whether one of the flags about the license was given. */
export function changesBoilerplate({ flags }: Invocation): boolean {
  return ["license", "license-file", "owner"].some((name) => flags[name] !== undefined);
}

/** Returns the comment that `--license`, `--owner` and `--license-file` ask for, without a line break at its end; empty for none. */
export function readBoilerplate(invocation: Invocation): string {
  const file = textFlag(invocation.flags, "license-file");
  if (file !== undefined) return readComment(path.resolve(invocation.cwd, file), file);
  const owner = textFlag(invocation.flags, "owner", { mayBeEmpty: true }) ?? "";
  if (blockComment(owner) !== owner) {
    throw new InvalidFlagError(`cannot use the owner ${quotedText(owner)}: it does not fit in a line comment`, {
      hint: "remove */ and line breaks, or pass the complete comment with --license-file",
    });
  }
  const year = new Date().getFullYear();
  const copyright = `Copyright ${year}${owner === "" ? "" : ` ${owner}`}`;
  switch (textFlag(invocation.flags, "license") ?? "apache2") {
    case "none":
      return "";
    case "copyright":
      return `/*\n${copyright}.\n*/`;
    default:
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
