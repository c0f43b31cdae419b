import { readYaml } from "@kubescaffold/k8s/yaml";
import { addMissingKeys, type ScaffoldContext } from "kubescaffold/plugin";

import type { ChartFacts } from "./chart/facts.ts";
import { missingVariables } from "./chart/values.ts";
import { ChartValuesError } from "./errors.ts";
import { isMap, type Json } from "./manifest.ts";

/**
 * Plans values.yaml: as it is made where there is none or `force` says so, else as the user has it, with the keys that templates need and it lacks.
 *
 * Guarantees: what the user wrote stays, letter by letter.
 */
export function keepValues(
  { tree, note }: ScaffoldContext,
  made: { readonly path: string; readonly text: string; readonly facts: ChartFacts; readonly force: boolean },
): void {
  const { path, text, facts, force } = made;
  const present = tree.read(path);
  tree.create(path, text, { ifExists: force ? "overwrite" : "skip" });
  if (present === undefined || force) return;
  const values = parse(present, path);
  const { text: completed, added } = addMissingKeys(present, text);
  if (added.length > 0) {
    tree.update(path, () => completed);
    note(`${path} got what it did not have: ${added.join(", ")}.`);
  }
  const variables = added.includes("manager.env") || !isMap(values) ? [] : missingVariables(facts, values);
  if (variables.length > 0)
    note(
      `${path} gives the manager no ${variables.join(", ")}, as config/manager does: add it to manager.env if it is needed.`,
    );
}

function parse(text: string, path: string): Json {
  try {
    return readYaml(text, { file: path }) as Json;
  } catch (error) {
    throw new ChartValuesError(path, error instanceof Error ? error.message : String(error));
  }
}
