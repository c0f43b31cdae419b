import { readFileSync } from "node:fs";

import { KUBERNETES_MINOR } from "../../src/kubernetes-version.ts";
import { type BuiltInApi, builtInApi, patchedBuiltInApi, type ReleasePatch } from "../../src/tables/schemas.ts";

/** Digests of the tables of a minor version. */
export interface Digests {
  readonly groups: string;
  readonly resources: string;
  readonly definitions: Readonly<Record<string, string>>;
}

/** The folder of what differs in other versions than the default one. */
export const RELEASES: URL = new URL("../../releases/", import.meta.url);

/** Digests of what the sources of Kubernetes contain; the generator of the tables writes them before it compares versions. */
export const DIGESTS = JSON.parse(
  readFileSync(new URL("../tables/release-digests.json", import.meta.url), "utf8"),
) as Readonly<Record<string, Digests>>;

/** The groups and versions of the definitions of all minor versions. */
export const PLACES: readonly string[] = [
  ...new Set(Object.values(DIGESTS).flatMap(({ definitions }) => Object.keys(definitions))),
].toSorted();

/** Returns the built-in API of a minor version. */
export function loadApi(minor: string): BuiltInApi {
  if (minor === KUBERNETES_MINOR) return builtInApi;
  return patchedBuiltInApi(JSON.parse(readFileSync(new URL(`${minor}.json`, RELEASES), "utf8")) as ReleasePatch);
}
