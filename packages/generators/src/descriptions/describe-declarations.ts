import type { TypeDescription } from "@kubescaffold/k8s/tables";

import { blockComment } from "../typescript/literals.ts";

/** Returns the description of a type that a module declares, by its name. */
export type DescribeType = (name: string) => TypeDescription | undefined;

/**
 * Adds descriptions as JSDoc to the interfaces of a declaration file and to their members. Members with a comment keep it; the comment of an
 * interface is followed by its description.
 *
 * Guarantees: nothing but comments is added.
 */
export function describeDeclarations(text: string, describe: DescribeType): string {
  const lines = text.split("\n");
  const result: string[] = [];
  let type: TypeDescription | undefined;
  for (const line of lines) {
    const opened = /^export interface (\w+)\b/u.exec(line)?.[1];
    if (opened !== undefined) {
      type = describe(opened);
      if (type?.text !== undefined) result.push(...interfaceComment(takeComment(result), type.text));
    } else if (line.startsWith("}")) {
      type = undefined;
    }
    const member = /^ {4}(?:readonly )?(?:([\w$]+)|"([^"]+)")\??:/u.exec(line);
    const description = member === null ? undefined : fieldText(type, member[1] ?? member[2] ?? "");
    if (description !== undefined && result.at(-1)?.endsWith("*/") !== true) result.push(...jsDoc(description, "    "));
    result.push(line);
  }
  return result.join("\n");
}

function fieldText({ fields = {} }: TypeDescription = {}, name: string): string | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

// Comments of generated types are on one line; others are complete as they are.
function takeComment(lines: string[]): string | undefined {
  const comment = /^\/\*\* (.*) \*\/$/u.exec(lines.at(-1) ?? "")?.[1];
  if (comment !== undefined) lines.pop();
  return comment;
}

function interfaceComment(comment: string | undefined, text: string): readonly string[] {
  return jsDoc(comment === undefined ? text : `${comment}\n\n${text}`, "");
}

function jsDoc(text: string, indentation: string): readonly string[] {
  const lines = text.split("\n").map((line) => {
    // A line that starts with a tag is one to compilers.
    const shown = blockComment(line)
      .replace(/^\s*@/u, String.raw`\@`)
      .trimEnd();
    return `${indentation} *${shown === "" ? "" : ` ${shown}`}`;
  });
  return [`${indentation}/**`, ...lines, `${indentation} */`];
}
