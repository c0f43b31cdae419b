import type { Json } from "../conformance/row.ts";
import { CREATED_OBJECTS } from "../conformance/rows/created-objects.ts";
import { selectedRelease } from "../conformance/selected-release.ts";
import { NEWER_OBJECTS, OTHER_OBJECTS } from "./other-objects.ts";
import { comparedApi } from "./resolved-schema.ts";

/** A valid object that requests vary, and its collection. */
export interface BaseObject {
  /** The kind and group, such as `Deployment.apps`; the version as well where it is not `v1`. */
  readonly kind: string;
  readonly definition: string;
  readonly path: string;
  readonly object: Json;
  /** Whether an object of this kind may have any name. */
  readonly isNameFree: boolean;
  /** Whether its status has an endpoint. */
  readonly hasStatus: boolean;
}

/** The namespace of all namespaced objects. */
export const NAMESPACE = "validation";
// Go reads and compares their schemas in its own way; the rows of custom resources compare them.
const ELSEWHERE: ReadonlySet<string> = new Set(["CustomResourceDefinition.apiextensions.k8s.io"]);
const FIXED_NAMES: ReadonlySet<string> = new Set(["APIService.apiregistration.k8s.io"]);

/** Returns the valid objects of the kinds, or of all kinds. */
export function baseObjects(kinds: readonly string[] = []): readonly BaseObject[] {
  const newer = NEWER_OBJECTS.filter(({ since }) => selectedRelease().since(since));
  return [...CREATED_OBJECTS, ...OTHER_OBJECTS, ...newer]
    .map(({ path, object }) => baseObject(path, object))
    .filter(({ kind }) => !ELSEWHERE.has(kind) && (kinds.length === 0 || kinds.includes(kind)));
}

function baseObject(path: string, source: Json): BaseObject {
  const object = JSON.parse(JSON.stringify(source).replaceAll("{namespace}", NAMESPACE)) as Json;
  const [version = "", group = ""] = String(object["apiVersion"]).split("/").toReversed();
  const name = [String(object["kind"]), ...(group === "" ? [] : [group])].join(".");
  const kind = version === "v1" ? name : `${name}/${version}`;
  const definition = comparedApi().definitionNameOf({ group, version, kind: String(object["kind"]) });
  if (definition === undefined) throw new TypeError(`cannot find the schema of ${kind}`);
  const resource = comparedApi().resources.find(
    (candidate) => candidate.kind === object["kind"] && candidate.group === group && candidate.version === version,
  );
  return {
    kind,
    definition,
    path: path.replace("{namespace}", NAMESPACE),
    object,
    isNameFree: !FIXED_NAMES.has(kind),
    hasStatus: resource?.subresources.some((subresource) => subresource.name === "status") === true,
  };
}
