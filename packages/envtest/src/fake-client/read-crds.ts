import { deepFreeze } from "@kubescaffold/k8s";
import type { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

import { isCrd, readManifests } from "../install/manifests.ts";
import { withoutConversion } from "./served-kinds.ts";

/**
 * Reads the CustomResourceDefinitions in files and folders of manifests, for the options of fake clients.
 *
 * Guarantees: they are frozen, so that fake clients share compiled schemas.
 * Fails: `ManifestPathMissingError`, or YamlError for an invalid file.
 *
 * @example
 * const crds = await readCrds("config/crd/bases");
 */
export async function readCrds(...paths: readonly string[]): Promise<readonly CustomResourceDefinition[]> {
  const objects = await readManifests({ paths, what: "definitions", errorIfPathMissing: true });
  return objects.filter(isCrd).map((definition) => deepFreeze(withoutConversion(definition)));
}
