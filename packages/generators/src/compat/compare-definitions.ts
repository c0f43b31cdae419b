import type { CompatCodeName } from "../checks/compat-codes.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { Definition, DefinitionVersion } from "./definition.ts";
import type { Difference } from "./difference.ts";

/** Finds what of a definition breaks stored objects or clients of its former version. */
export function compareDefinitions(former: Definition, current: Definition): readonly Difference[] {
  return [
    ...compareNames(former, current),
    ...former.spec.versions.flatMap((version) => compareVersion(version, former, current)),
    ...compareStorage(former, current),
    ...compareStored(former, current),
  ];
}

function compareNames({ spec: former }: Definition, { spec: current }: Definition): readonly Difference[] {
  const found: Difference[] = [];
  if (former.scope !== current.scope) {
    found.push({
      code: "COMPAT_SCOPE_CHANGED",
      message: `the scope changed from ${former.scope} to ${current.scope}, but it is immutable`,
      hint: "keep the scope, or use another kind",
      markers: ["resource"],
    });
  }
  const names = (["kind", "listKind"] as const).filter(
    (key) => (former.names[key] ?? "") !== (current.names[key] ?? "") && former.names[key] !== undefined,
  );
  for (const key of names)
    found.push(renamed(`the ${key} changed from ${former.names[key] ?? "empty"} to ${current.names[key] ?? "empty"}`));
  // Clients may use any of the names: one that another name has taken over is not lost.
  const { plural, singular = current.names.kind.toLowerCase(), shortNames = [] } = current.names;
  const now = new Set([plural, singular, ...shortNames]);
  const before = [former.names.singular, ...(former.names.shortNames ?? [])].filter((name) => name !== undefined);
  const lost = [...new Set(before)].filter((name) => name !== "" && !now.has(name));
  if (lost.length > 0) found.push(renamed(`it no longer has the name ${lost.join(", ")}`));
  if (former.preserveUnknownFields === true && current.preserveUnknownFields !== true) {
    found.push({
      code: "COMPAT_PRUNING",
      message: "spec.preserveUnknownFields was true: unknown fields of all objects are now pruned",
      hint: "declare every field of the objects, or mark the fields that preserve unknown fields",
    });
  }
  return found;
}

function renamed(message: string): Difference {
  const hint = "keep the names that clients, scripts and owner references use";
  return { code: "COMPAT_NAMES_CHANGED", message, hint, markers: ["resource"] };
}

function compareVersion(former: DefinitionVersion, before: Definition, now: Definition): readonly Difference[] {
  const { name } = former;
  const current = now.spec.versions.find((each) => each.name === name);
  if (current === undefined) return removedVersion(former, before);
  const unserved: readonly Difference[] =
    former.served && !current.served
      ? [
          {
            code: "COMPAT_VERSION_UNSERVED",
            message: `the version ${name} is no longer served`,
            hint: "serve it until no client uses it; warn clients with +kubebuilder:deprecatedversion",
            version: name,
            markers: ["unservedversion"],
          },
        ]
      : [];
  return [...unserved, ...compareParts(former, current), ...compareVersionSchemas(former, current)];
}

function removedVersion(
  { name, served, storage }: DefinitionVersion,
  { metadata, status }: Definition,
): readonly Difference[] {
  if (storage) {
    return [
      {
        code: "COMPAT_STORAGE_REMOVED",
        message: `the version ${name} was removed, but it is the storage version of ${metadata.name}`,
        hint: "keep it with +kubebuilder:unservedversion until all objects are migrated and status.storedVersions does not contain it",
      },
    ];
  }
  // compareStored reports it.
  if (!served || status?.storedVersions?.includes(name) === true) return [];
  const hint = "serve it until no client uses it; warn clients with +kubebuilder:deprecatedversion";
  return [{ code: "COMPAT_VERSION_REMOVED", message: `the version ${name} was removed`, hint }];
}

function compareVersionSchemas(former: DefinitionVersion, current: DefinitionVersion): readonly Difference[] {
  return schemaDifferences(former, current).map((difference) => ({ ...difference, version: current.name }));
}

function schemaDifferences(former: DefinitionVersion, current: DefinitionVersion): readonly Difference[] {
  const before = former.schema?.openAPIV3Schema;
  const now = current.schema?.openAPIV3Schema;
  if (before === undefined || now === undefined) return [];
  return compareSchemas({ former: before, current: now, path: "", name: "" });
}

function compareParts(former: DefinitionVersion, current: DefinitionVersion): readonly Difference[] {
  const { name: version } = current;
  const subresources = (["status", "scale"] as const).filter(
    (key) => former.subresources?.[key] !== undefined && current.subresources?.[key] === undefined,
  );
  const addsStatus = former.subresources?.status === undefined && current.subresources?.status !== undefined;
  const hasStatus = former.schema?.openAPIV3Schema?.properties?.["status"] !== undefined;
  const isKept = (jsonPath: string): boolean =>
    (current.selectableFields ?? []).some((each) => each.jsonPath === jsonPath);
  const selectable = (former.selectableFields ?? []).map((each) => each.jsonPath).filter((each) => !isKept(each));
  const columns = (former.additionalPrinterColumns ?? [])
    .map((each) => each.name)
    .filter((name) => !(current.additionalPrinterColumns ?? []).some((each) => each.name === name));
  const part = (code: CompatCodeName, message: string, hint: string): Difference => ({ code, message, hint, version });
  return [
    ...subresources.map((key) =>
      part("COMPAT_SUBRESOURCE_REMOVED", `the subresource ${key} was removed`, `keep +kubebuilder:subresource:${key}`),
    ),
    ...(addsStatus && hasStatus
      ? [
          part(
            "COMPAT_SUBRESOURCE_ADDED",
            "status is now a subresource: writes to the object ignore it",
            "update clients to write /status",
          ),
        ]
      : []),
    ...selectable.map((each) =>
      part(
        "COMPAT_SELECTABLE_REMOVED",
        `${each} can no longer be selected`,
        `keep +kubebuilder:selectablefield:JSONPath=${each}`,
      ),
    ),
    ...columns.map((each) =>
      part("COMPAT_COLUMN_REMOVED", `the column ${each} was removed`, "keep the +kubebuilder:printcolumn"),
    ),
  ];
}

// Without a conversion webhook an object is stored as it was, less what the new schema does not know.
function compareStorage(before: Definition, now: Definition): readonly Difference[] {
  const former = before.spec.versions.find((each) => each.storage);
  const current = now.spec.versions.find((each) => each.storage);
  if (former === undefined || current === undefined || former.name === current.name) return [];
  const losses = schemaDifferences(former, current).filter((each) => LOSSES.has(each.code));
  if (losses.length === 0) return [];
  return [
    {
      code: "COMPAT_STORAGE_CHANGED",
      message: `the storage version changed from ${former.name} to ${current.name}, but not all stored objects are valid in ${current.name}: ${losses
        .slice(0, 3)
        .map((each) => each.message)
        .join("; ")}`,
      hint: "install a conversion webhook before the storage version changes",
      version: current.name,
      markers: ["storageversion"],
    },
  ];
}

// Only the CRD of a cluster has a status.
function compareStored({ metadata, spec, status }: Definition, now: Definition): readonly Difference[] {
  const stored = (status?.storedVersions ?? []).filter(
    (version) => !now.spec.versions.some(({ name }) => name === version),
  );
  return stored
    .filter((version) => !spec.versions.some(({ name, storage }) => name === version && storage))
    .map((version) => ({
      code: "COMPAT_STORED_REMOVED",
      message: `the version ${version} was removed, but objects may be stored in it: status.storedVersions of ${metadata.name} contains it`,
      hint: `restore the version with +kubebuilder:unservedversion, run \`npx scaffold migrate-storage ${metadata.name}\`, and remove it then`,
    }));
}

const LOSSES: ReadonlySet<CompatCodeName> = new Set([
  "COMPAT_FIELD_REMOVED",
  "COMPAT_TYPE_CHANGED",
  "COMPAT_PRUNING",
  "COMPAT_REQUIRED_ADDED",
]);
