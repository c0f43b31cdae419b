import { isRecord } from "@kubescaffold/platform";

import type { GoFiles } from "../go-files.ts";
import { documentsIn } from "../manifest-facts.ts";

/** Returns the objects of a kind in the samples and examples of a project, those of `config/samples` first. */
export function samplesOf(
  files: Pick<GoFiles, "paths" | "read">,
  { group, version, kind }: { readonly group: string; readonly version: string; readonly kind: string },
): readonly unknown[] {
  const places = files.paths.filter((path) => SAMPLES.test(path));
  const ranked = [
    ...places.filter((path) => path.startsWith("config/")),
    ...places.filter((path) => !path.startsWith("config/")),
  ];
  const isMeant = (document: unknown): boolean =>
    isRecord(document) && document["apiVersion"] === `${group}/${version}` && document["kind"] === kind;
  return ranked
    .filter((path) => files.read(path)?.includes(kind))
    .flatMap((path) => readable(files, path).filter((document) => isMeant(document)));
}

const SAMPLES = /(?:^|\/)(?:[^/]*samples?|examples?|demos?)\/.*\.ya?ml$/u;

// Some are templates of other programs.
function readable(files: Pick<GoFiles, "paths" | "read">, path: string): readonly unknown[] {
  try {
    return documentsIn(files, path);
  } catch {
    return [];
  }
}
