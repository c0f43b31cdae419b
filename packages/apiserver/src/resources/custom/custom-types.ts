import { once, type ResourceType, type SubresourceType } from "../resource-type.ts";
import { createConverter, type ConversionParts, type ConvertObjects } from "./convert-objects.ts";
import { hasCondition, type CrdObject, type CrdVersion } from "./crd-object.ts";
import { customColumns } from "./custom-columns.ts";
import { createCustomStrategy } from "./custom-strategy.ts";

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"] as const;
const VERBS_WHILE_TERMINATING = ["delete", "deletecollection", "get", "list", "watch"] as const;
const UNLISTED_WHILE_TERMINATING = ["patch", "create", "update"] as const;
const SUBRESOURCE_VERBS = ["get", "patch", "update"] as const;

const known = new WeakMap<CrdObject, readonly ResourceType[]>();

/** Returns the resource types that a CRD serves: one for each served version. */
export function customTypes(crd: CrdObject, conversion: ConversionParts): readonly ResourceType[] {
  let types = known.get(crd);
  if (types === undefined) {
    const convert = createConverter(crd, conversion);
    types = crd.spec.versions.filter(({ served }) => served).map((version) => customType(crd, version, convert));
    known.set(crd, types);
  }
  return types;
}

function customType(crd: CrdObject, version: CrdVersion, convert: ConvertObjects | undefined): ResourceType {
  const { group, scope } = crd.spec;
  const names = { ...crd.spec.names, ...crd.status?.acceptedNames };
  const subresourceTypes = subresourcesOf(crd, version);
  const isTerminating = hasCondition(crd, "Terminating");
  const warning = deprecationOf(crd, version);
  return {
    group,
    version: version.name,
    resource: names.plural,
    kind: names.kind,
    listKind: names.listKind ?? `${names.kind}List`,
    singular: names.singular ?? names.kind.toLowerCase(),
    isNamespaced: scope === "Namespaced",
    isCustom: true,
    shortNames: names.shortNames ?? [],
    categories: names.categories ?? [],
    verbs: isTerminating ? VERBS_WHILE_TERMINATING : VERBS,
    subresources: subresourceTypes.map(({ name }) => name),
    subresourceTypes,
    storedAs: { group, resource: names.plural },
    strategy: once(() => createCustomStrategy(crd, version, convert)),
    columns: once(() => customColumns(version)),
    schema: () => version.schema?.openAPIV3Schema,
    schemaIdentity: `${crd.metadata.uid ?? ""}/${crd.metadata.generation ?? 0}`,
    ...(warning === undefined ? {} : { deprecationWarning: warning }),
    ...(isTerminating
      ? {
          unlistedVerbs: UNLISTED_WHILE_TERMINATING,
          createsRefusedFor: "create not allowed while custom resource definition is terminating",
        }
      : {}),
  };
}

function subresourcesOf({ spec }: CrdObject, version: CrdVersion): readonly SubresourceType[] {
  const { status, scale } = version.subresources ?? {};
  const own = { group: spec.group, version: version.name, kind: spec.names.kind, verbs: SUBRESOURCE_VERBS };
  const scaleKind = { group: "autoscaling", version: "v1", kind: "Scale", verbs: SUBRESOURCE_VERBS };
  return [
    ...(status === undefined ? [] : [{ name: "status", ...own }]),
    ...(scale === undefined ? [] : [{ name: "scale", ...scaleKind }]),
  ];
}

function deprecationOf({ spec }: CrdObject, version: CrdVersion): string | undefined {
  if (version.deprecated !== true) {
    return undefined;
  }
  const newer = spec.versions.find((other) => other.deprecated !== true && other.served);
  const advice = newer === undefined ? "" : `; use ${spec.group}/${newer.name} ${spec.names.kind}`;
  return version.deprecationWarning ?? `${spec.group}/${version.name} ${spec.names.kind} is deprecated${advice}`;
}
