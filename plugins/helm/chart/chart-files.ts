import { type Manifest, nameOf } from "../manifest.ts";
import type { ChartFacts } from "./facts.ts";
import { fallbackObjects } from "./fallback-objects.ts";
import { managerTemplate } from "./manager-template.ts";
import { namesFor } from "./names.ts";
import { fileNameFor, folderFor, type ObjectTemplate, objectTemplate } from "./object-template.ts";
import { printTemplate } from "./print-template.ts";

/** The first line of every template that is made: a file that has it is written anew, and deleted when it is made no more. */
export const MADE =
  "{{- /* Made of config/ by `scaffold edit --plugins=helm/v2-alpha`, and made anew by it. Without this line the file is yours. */ -}}";

/** Returns the templates of a chart, one for each object, by their paths below the chart's folder `templates`. */
export function chartTemplates(facts: ChartFacts): ReadonlyMap<string, string> {
  const all = { ...facts, bundle: { ...facts.bundle, others: [...facts.bundle.others, ...fallbackObjects(facts)] } };
  const names = namesFor(all);
  const files = new Map([["manager/manager.yaml", textOf(managerTemplate(all, names))]]);
  for (const manifest of all.bundle.others)
    files.set(pathFor(manifest, all, files), textOf(objectTemplate(manifest, all, names)));
  return files;
}

// Two objects of one name get the kind in the names of their files.
function pathFor(manifest: Manifest, facts: ChartFacts, taken: ReadonlyMap<string, string>): string {
  const path = `${folderFor(manifest)}/${fileNameFor(manifest, facts)}`;
  const withKind = `${path}-${manifest.kind.toLowerCase()}`;
  const free = [path, withKind, `${withKind}-${nameOf(manifest).length}`].find((each) => !taken.has(`${each}.yaml`));
  return `${free ?? withKind}.yaml`;
}

function textOf({ condition, node }: ObjectTemplate): string {
  const text = printTemplate(node);
  return condition === "" ? `${MADE}\n${text}` : `${MADE}\n{{- if ${condition} }}\n${text}{{- end }}\n`;
}
