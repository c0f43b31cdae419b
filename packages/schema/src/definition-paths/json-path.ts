/** Is one step of a JSONPath into an object. */
export type JsonPathStep =
  | { readonly kind: "member"; readonly name: string }
  /** What stands in brackets and is no name: an index, a slice, a wildcard or a filter. */
  | { readonly kind: "selection"; readonly text: string };

/** Splits a JSONPath of a column, such as `.spec.list[0]['a.b']`, into its steps; returns undefined for one that is empty or not that simple. */
export function parseJsonPath(path: string): readonly JsonPathStep[] | undefined {
  const steps: JsonPathStep[] = [];
  let end = 0;
  for (const match of path.matchAll(STEP)) {
    end = match.index + match[0].length;
    steps.push(stepOf(match.groups ?? {}));
  }
  return end === path.length && steps.length > 0 ? steps : undefined;
}

const STEP = /\.(?<plain>(?:[^.[\]\\]|\\.)+)|\[['"](?<quoted>(?:[^'"\\]|\\.)*)['"]\]|\[(?<inner>\?\(.*?\)|[^\]]*)\]/gy;

function stepOf({ plain, quoted, inner = "*" }: Readonly<Record<string, string | undefined>>): JsonPathStep {
  const name = plain === "*" ? undefined : (plain ?? quoted);
  return name === undefined
    ? { kind: "selection", text: inner }
    : { kind: "member", name: name.replaceAll(/\\(.)/gu, "$1") };
}
