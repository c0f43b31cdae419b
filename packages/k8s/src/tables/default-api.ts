import type { GroupVersion, GroupVersionKind, GroupVersionResource } from "../group-version.ts";
import { builtInApi } from "./built-in-api.ts";
import type { BuiltInResource } from "./built-in-resources.ts";
import type { OpenApiSchema } from "./open-api-schema.ts";

/** The resources that an API server serves by default, by group, version and name. */
export const builtInResources: readonly BuiltInResource[] = builtInApi.resources;

/** The version that discovery recommends for each built-in group. */
export const preferredVersions: ReadonlyMap<string, string> = builtInApi.preferredVersions;

/** The built-in groups in the order in which discovery lists them, the core group first. */
export const builtInGroups: readonly string[] = builtInApi.groups;

/** Returns the resources that an API server serves with a feature gate and `--runtime-config` alone. */
export function gatedResources(): readonly BuiltInResource[] {
  return builtInApi.gatedResources();
}

/** Finds a built-in resource by its plural name, or by its kind. */
export function builtInResource(wanted: GroupVersionResource | GroupVersionKind): BuiltInResource | undefined {
  return builtInApi.resource(wanted);
}

/**
 * Returns the OpenAPI schema of a built-in kind, of a definition by its name, or of a `$ref`.
 *
 * @example
 * builtInSchema({ group: "apps", version: "v1", kind: "Deployment" });
 * builtInSchema("io.k8s.api.core.v1.PodSpec");
 */
export function builtInSchema(wanted: GroupVersionKind | string): OpenApiSchema | undefined {
  return builtInApi.schema(wanted);
}

/**
 * Returns the schemas of the OpenAPI document that a server offers for a group-version, by name: those of its
 * resources and requests, and all they refer to.
 */
export function builtInSchemasOf(groupVersion: GroupVersion): Readonly<Record<string, OpenApiSchema>> {
  return builtInApi.schemasOf(groupVersion);
}

/** Returns the name of the definition of a built-in kind. */
export function definitionNameOf(gvk: GroupVersionKind): string | undefined {
  return builtInApi.definitionNameOf(gvk);
}

/** Returns the definition of a type by its group, version, and name, such as `core/v1.Container`. */
export function definitionOf(key: string): OpenApiSchema | undefined {
  return builtInApi.definitionOf(key);
}
