import type { GroupVersion, GroupVersionKind, GroupVersionResource } from "../group-version.ts";
import { deepFreeze } from "../json/json-value.ts";
import type { BuiltInResource } from "./built-in-resources.ts";
import { BuiltInSchemas } from "./built-in-schemas.ts";
import type { OpenApiSchema } from "./open-api-schema.ts";
import type { ReleasePatch } from "./release-patch.ts";
import { baseTexts, patchedTexts, type ReleaseTexts } from "./release-texts.ts";

/** The built-in API of one minor version of Kubernetes: its resources, and their schemas. */
export interface BuiltInApi {
  /** The minor version, such as `1.35`. */
  readonly minor: string;
  /** The resources that an API server serves by default, by group, version, and name. */
  readonly resources: readonly BuiltInResource[];
  /** The version that discovery recommends for each group. */
  readonly preferredVersions: ReadonlyMap<string, string>;
  /** The groups in the order in which discovery lists them, the core group first. */
  readonly groups: readonly string[];
  /** Returns the resources that an API server serves with a feature gate and `--runtime-config` alone. */
  gatedResources(): readonly BuiltInResource[];
  /** Finds a resource by its plural name, or by its kind. */
  resource(wanted: GroupVersionResource | GroupVersionKind): BuiltInResource | undefined;
  /** Returns the schema of a kind, of a definition by its name, or of a `$ref`. */
  schema(wanted: GroupVersionKind | string): OpenApiSchema | undefined;
  /** Returns the schemas of the OpenAPI document of a group version, by name. */
  schemasOf(groupVersion: GroupVersion): Readonly<Record<string, OpenApiSchema>>;
  /** Returns the name of the definition of a kind. */
  definitionNameOf(gvk: GroupVersionKind): string | undefined;
  /** Returns the definition of a type by its group, version, and name, such as `core/v1.Container`. */
  definitionOf(key: string): OpenApiSchema | undefined;
  /** Returns the definitions of a group and version, such as `core/v1`, by their names. */
  definitionsOf(place: string): Readonly<Record<string, OpenApiSchema>>;
}

/** The built-in API of the version whose types this package contains. */
export const builtInApi: BuiltInApi = createBuiltInApi(baseTexts);

/** Returns the built-in API of another minor version, given what differs in its tables: the contents of a file in the folder `releases` of this package. */
export function patchedBuiltInApi(patch: ReleasePatch): BuiltInApi {
  return createBuiltInApi(patchedTexts(baseTexts, patch));
}

function createBuiltInApi(texts: ReleaseTexts): BuiltInApi {
  const schemas = new BuiltInSchemas(texts);
  const resources: readonly BuiltInResource[] = deepFreeze(JSON.parse(texts.resources) as readonly BuiltInResource[]);
  let gated: readonly BuiltInResource[] | undefined;
  const gatedResources = (): readonly BuiltInResource[] => {
    gated ??= deepFreeze(JSON.parse(texts.gatedResources) as readonly BuiltInResource[]);
    return gated;
  };
  return {
    minor: texts.minor,
    resources,
    preferredVersions: new Map(resources.map(({ group, version }) => [group, version])),
    groups: Object.freeze([...texts.groups]),
    gatedResources,
    resource: (wanted) =>
      resources.find(
        (resource) =>
          resource.group === wanted.group &&
          resource.version === wanted.version &&
          ("resource" in wanted ? resource.plural === wanted.resource : resource.kind === wanted.kind),
      ),
    schema: (wanted) => schemas.schema(wanted),
    schemasOf: (groupVersion) => {
      const isServed = ({ group, version }: GroupVersion): boolean =>
        group === groupVersion.group && version === groupVersion.version;
      const served = resources.filter(isServed);
      return schemas.ofDocument(groupVersion, served.length > 0 ? served : gatedResources().filter(isServed));
    },
    definitionNameOf: (gvk) => schemas.nameOf(gvk),
    definitionOf: (key) => schemas.ofKey(key),
    definitionsOf: (place) => schemas.ofPlace(place),
  };
}
