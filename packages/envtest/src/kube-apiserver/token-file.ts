import type { TokenUser } from "@kubescaffold/cluster";

import { ServerFlagError } from "../failures/errors.ts";

/**
 * Parses a token file of kube-apiserver: lines of token, user name, user ID, and optional groups in one quoted column.
 *
 * Fails: {@link ServerFlagError} for a line with fewer than three columns, or an empty token.
 */
export function parseTokenFile(text: string): readonly TokenUser[] {
  return text.split(/\r?\n/u).flatMap((line, index) => {
    if (line.trim() === "") return [];
    const [token = "", name, uid, groups = ""] = columnsOf(line);
    if (token === "" || name === undefined || uid === undefined) {
      throw new ServerFlagError(
        `cannot read line ${String(index + 1)} of the token file: it needs a token, a user name, and a user ID`,
      );
    }
    return [{ token, name, ...(uid === "" ? {} : { uid }), groups: groups === "" ? [] : groups.split(",") }];
  });
}

// Quotes around a column hide its commas, and are doubled inside.
function columnsOf(line: string): readonly string[] {
  const columns: string[] = [];
  let column = "";
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === '"' && isQuoted && line.charAt(index + 1) === '"') {
      column += '"';
      index += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === "," && !isQuoted) {
      columns.push(column.trim());
      column = "";
    } else column += character;
  }
  return [...columns, column.trim()];
}
