/** An action of a template: what is between the braces, with the line it is on. */
export interface Action {
  readonly text: string;
  readonly line: number;
}

/** Takes a template apart into its actions. Fails when braces do not pair up. */
export function actionsOf(template: string): readonly Action[] {
  const actions: Action[] = [];
  let at = 0;
  for (;;) {
    const start = template.indexOf("{{", at);
    if (start < 0) break;
    const end = endOfAction(template, start + 2);
    const line = template.slice(0, start).split("\n").length;
    if (end === undefined) throw new Error(`line ${line}: the braces are not closed`);
    actions.push({ text: trimmed(template.slice(start + 2, end)), line });
    at = end + 2;
  }
  return actions;
}

// Braces inside a quoted text or a comment end nothing.
function endOfAction(template: string, from: number): number | undefined {
  if (/^-? ?\/\*/u.test(template.slice(from, from + 4))) {
    const end = template.indexOf("*/", from);
    return end < 0 ? undefined : template.indexOf("}}", end);
  }
  let quote = "";
  for (let index = from; index < template.length; index += 1) {
    const letter = template[index] ?? "";
    if (quote !== "") {
      if (letter === "\\" && quote === '"') index += 1;
      else if (letter === quote) quote = "";
    } else if (letter === '"' || letter === "`") quote = letter;
    else if (template.startsWith("}}", index)) return index;
    else if (letter === "\n") return undefined;
  }
  return undefined;
}

function trimmed(text: string): string {
  return text.replace(/^-/u, "").replace(/-$/u, "").trim();
}

/** Fails when blocks of a template do not pair up, or an `else` is in none. */
export function checkBlocks(actions: readonly Action[]): void {
  const open: Action[] = [];
  for (const action of actions) {
    const [word = ""] = action.text.split(/\s/u);
    if (["if", "with", "range", "define", "block"].includes(word)) open.push(action);
    if (word === "else" && open.length === 0) throw new Error(`line ${action.line}: else of nothing`);
    if (word === "end" && open.pop() === undefined) throw new Error(`line ${action.line}: end of nothing`);
  }
  const [left] = open;
  if (left !== undefined) throw new Error(`line ${left.line}: ${left.text} is not ended`);
}

/** Returns the values that actions look up, with dots between the keys of a path. */
export function valuesIn(actions: readonly Action[]): ReadonlySet<string> {
  const found = actions.flatMap(({ text }) => {
    const code = text.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '""');
    const direct = [...code.matchAll(/\.Values\.(?<path>[A-Za-z][\w.]*)/gu)].map(
      (match) => match.groups?.["path"] ?? "",
    );
    // (.Values.a | default dict).b is a.b.
    const nested = [...code.matchAll(/\(\.Values\.(?<path>[A-Za-z][\w.]*) \| default dict\)\.(?<key>\w+)/gu)];
    return [...direct, ...nested.map((match) => `${match.groups?.["path"]}.${match.groups?.["key"]}`)];
  });
  return new Set(found);
}

/** Returns the names of the templates that actions include. */
export function includesIn(actions: readonly Action[]): ReadonlySet<string> {
  return new Set(
    actions.flatMap(({ text }) =>
      [...text.matchAll(/include "(?<name>[^"]+)"/gu)].map((match) => match.groups?.["name"] ?? ""),
    ),
  );
}

/** Returns the names of the templates that actions define. */
export function definitionsIn(actions: readonly Action[]): ReadonlySet<string> {
  return new Set(actions.flatMap(({ text }) => /^define "(?<name>[^"]+)"$/u.exec(text)?.groups?.["name"] ?? []));
}
