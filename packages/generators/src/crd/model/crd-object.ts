import { resourceNameOf } from "@kubescaffold/k8s";

import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import type { SourceLocation } from "../../loader/type-model.ts";
import type { MarkerValue } from "../../markers/definitions/marker-definition.ts";
import type { MarkerUse } from "../../markers/read-markers.ts";
import { compareBytes } from "../../output/compare-bytes.ts";
import type { JsonSchema } from "./schema-node.ts";

/** One version of a kind, as the sources declare it. */
export interface KindVersion {
  readonly version: string;
  readonly schema: JsonSchema;
  readonly markers: readonly MarkerUse[];
  readonly location: SourceLocation;
}

/** A CRD while markers shape it. */
export interface CrdDraft {
  readonly group: string;
  readonly kind: string;
  plural: string;
  singular: string;
  scope: string;
  shortNames: readonly string[];
  categories: readonly string[];
  annotations: Record<string, string>;
  labels: Record<string, string>;
  readonly versions: VersionDraft[];
}

interface VersionDraft {
  readonly name: string;
  readonly schema: JsonSchema;
  served: boolean;
  storage: boolean;
  isSkipped: boolean;
  deprecated?: boolean;
  deprecationWarning?: string;
  columns: Record<string, MarkerValue>[];
  selectableFields: { readonly jsonPath: string }[];
  subresources?: { scale?: Record<string, string>; status?: Record<string, never> };
}

/** A finding about a CRD as a whole. */
export interface CrdFinding {
  readonly code: DiagnosticCode;
  readonly message: string;
  readonly hint: string;
  readonly location: SourceLocation;
}

export interface CrdObjectOptions {
  readonly group: string;
  readonly kind: string;
  /** In the order of the packages; at least one. */
  readonly versions: readonly KindVersion[];
  readonly report: (finding: CrdFinding) => void;
}

/** Puts a CRD together from the versions of a kind; undefined when no version is left. */
export function createCrdDraft({ group, kind, versions, report }: CrdObjectOptions): CrdDraft | undefined {
  const draft: CrdDraft = {
    group,
    kind,
    plural: resourceNameOf(kind),
    singular: kind.toLowerCase(),
    scope: "Namespaced",
    shortNames: [],
    categories: [],
    annotations: {},
    labels: {},
    versions: versions.map(({ version, schema }) => ({
      name: version,
      schema,
      served: true,
      storage: false,
      isSkipped: false,
      columns: [],
      selectableFields: [],
    })),
  };
  for (const [index, { markers }] of versions.entries()) {
    const version = draft.versions[index];
    if (version !== undefined) for (const marker of markers) applyMarker({ draft, version, marker, report });
  }
  return finishVersions(draft, versions, report);
}

/** Returns the CRD as an object, in the form that is printed. */
export function printableCrd(
  draft: CrdDraft,
  {
    annotations,
    preserveUnknownFields,
  }: { readonly annotations: Readonly<Record<string, string>>; readonly preserveUnknownFields: boolean | undefined },
): Readonly<Record<string, unknown>> {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: {
      annotations: orNothing({ ...draft.annotations, ...annotations }),
      labels: orNothing(draft.labels),
      name: `${draft.plural}.${draft.group}`,
    },
    spec: {
      group: draft.group,
      names: {
        categories: draft.categories.length === 0 ? undefined : draft.categories,
        kind: draft.kind,
        listKind: `${draft.kind}List`,
        plural: draft.plural,
        shortNames: draft.shortNames.length === 0 ? undefined : draft.shortNames,
        singular: draft.singular,
      },
      preserveUnknownFields,
      scope: draft.scope,
      versions: draft.versions.map((version) => printableVersion(version)),
    },
  };
}

function printableVersion(version: VersionDraft): Readonly<Record<string, unknown>> {
  return {
    additionalPrinterColumns: version.columns.length === 0 ? undefined : version.columns,
    deprecated: version.deprecated,
    deprecationWarning: version.deprecationWarning,
    name: version.name,
    schema: { openAPIV3Schema: version.schema },
    selectableFields: version.selectableFields.length === 0 ? undefined : version.selectableFields,
    served: version.served,
    storage: version.storage,
    subresources: version.subresources,
  };
}

interface MarkerApplication {
  readonly draft: CrdDraft;
  readonly version: VersionDraft;
  readonly marker: MarkerUse;
  readonly report: (finding: CrdFinding) => void;
}

function applyMarker({ draft, version, marker, report }: MarkerApplication): void {
  const value = marker.value as Readonly<Record<string, MarkerValue>>;
  switch (marker.name) {
    case "kubebuilder:resource":
      return applyResource(draft, value);
    case "kubebuilder:subresource:status":
      version.subresources = { ...version.subresources, status: {} };
      return undefined;
    case "kubebuilder:subresource:scale":
      version.subresources = { ...version.subresources, scale: scaleOf(value) };
      return undefined;
    case "kubebuilder:printcolumn":
      version.columns.push(columnOf(value));
      // Upstream writes the key even when nothing is in it.
      version.subresources ??= {};
      return undefined;
    case "kubebuilder:selectablefield":
      version.selectableFields.push({ jsonPath: textOf(value["JSONPath"]) });
      return undefined;
    case "kubebuilder:storageversion":
      version.storage = true;
      return undefined;
    case "kubebuilder:unservedversion":
      version.served = false;
      return undefined;
    case "kubebuilder:skipversion":
      version.isSkipped = true;
      return undefined;
    case "kubebuilder:deprecatedversion":
      version.deprecated = true;
      if (value["warning"] !== undefined) version.deprecationWarning = textOf(value["warning"]);
      return undefined;
    case "kubebuilder:metadata":
      addMetadata({ target: draft.annotations, list: value["annotations"], what: "annotation", marker, report });
      return addMetadata({ target: draft.labels, list: value["labels"], what: "label", marker, report });
    default:
      return undefined;
  }
}

function applyResource(draft: CrdDraft, value: Readonly<Record<string, MarkerValue>>): void {
  const path = textOf(value["path"]);
  const singular = textOf(value["singular"]);
  const scope = textOf(value["scope"]);
  if (path !== "") draft.plural = path;
  if (singular !== "") draft.singular = singular;
  draft.shortNames = textsOf(value["shortName"]);
  draft.categories = textsOf(value["categories"]);
  draft.scope = scope === "" ? "Namespaced" : scope;
}

function scaleOf(value: Readonly<Record<string, MarkerValue>>): Record<string, string> {
  const scale = { specReplicasPath: textOf(value["specpath"]), statusReplicasPath: textOf(value["statuspath"]) };
  return value["selectorpath"] === undefined ? scale : { labelSelectorPath: textOf(value["selectorpath"]), ...scale };
}

function columnOf(value: Readonly<Record<string, MarkerValue>>): Record<string, MarkerValue> {
  const { name = "", type = "", JSONPath = "", description = "", format = "", priority = 0 } = value;
  return {
    ...(description === "" ? {} : { description }),
    ...(format === "" ? {} : { format }),
    jsonPath: JSONPath,
    name,
    ...(priority === 0 ? {} : { priority }),
    type,
  };
}

interface MetadataAddition {
  readonly target: Record<string, string>;
  readonly list: MarkerValue | undefined;
  readonly what: "annotation" | "label";
  readonly marker: MarkerUse;
  readonly report: (finding: CrdFinding) => void;
}

function addMetadata({ target, list, what, marker, report }: MetadataAddition): void {
  for (const entry of textsOf(list)) {
    const equals = entry.indexOf("=");
    if (equals === -1) {
      report({
        code: "GENERATE_BAD_METADATA",
        message: `the ${what} ${JSON.stringify(entry)} is not of the form key=value`,
        hint: `write +kubebuilder:metadata:${what}s="key=value"`,
        location: marker.location,
      });
    } else {
      target[entry.slice(0, equals)] = entry.slice(equals + 1);
    }
  }
}

function finishVersions(
  draft: CrdDraft,
  sources: readonly KindVersion[],
  report: (finding: CrdFinding) => void,
): CrdDraft | undefined {
  const kept = draft.versions
    .filter((version) => !version.isSkipped)
    .toSorted((left, right) => compareBytes(left.name, right.name));
  const [first] = kept;
  const location = sources[0]?.location;
  if (first === undefined || location === undefined) return undefined;
  if (kept.length === 1) first.storage = true;
  reportDuplicates(kept, sources, report);
  if (!kept.some((version) => version.storage)) {
    report({
      code: "GENERATE_NO_STORAGE_VERSION",
      message: `${draft.kind} has several versions (${kept.map((each) => each.name).join(", ")}) and none is the storage version`,
      hint: "put +kubebuilder:storageversion above the type of one version",
      location,
    });
  }
  if (!kept.some((version) => version.served)) {
    report({
      code: "GENERATE_NO_SERVED_VERSION",
      message: `no version of ${draft.kind} is served`,
      hint: "remove +kubebuilder:unservedversion from one version",
      location,
    });
  }
  return { ...draft, versions: kept };
}

function reportDuplicates(
  kept: readonly VersionDraft[],
  sources: readonly KindVersion[],
  report: (finding: CrdFinding) => void,
): void {
  for (const [index, version] of kept.entries()) {
    if (kept[index + 1]?.name !== version.name) continue;
    const location = sources.findLast((source) => source.version === version.name)?.location;
    if (location === undefined) continue;
    report({
      code: "GENERATE_DUPLICATE_VERSION",
      message: `two packages declare the same version ${version.name} of the same kind`,
      hint: "change +versionName of one of the packages",
      location,
    });
  }
}

function orNothing(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  return Object.keys(record).length === 0 ? undefined : record;
}

function textOf(value: MarkerValue | undefined): string {
  return typeof value === "string" ? value : "";
}

function textsOf(value: MarkerValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
