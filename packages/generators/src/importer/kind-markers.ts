import { resourceNameOf } from "@kubescaffold/k8s";

import type { CrdFacts, CrdVersionFacts } from "./crd-facts.ts";
import { markerText } from "./marker-text.ts";

/** Returns the markers that say what a CustomResourceDefinition says of a version beside its schema. */
export function kindMarkers(crd: CrdFacts, version: CrdVersionFacts): readonly string[] {
  const markers = [
    markerText("kubebuilder:object:root", true),
    ...resourceMarkers(crd),
    ...(version.hasStatus ? [markerText("kubebuilder:subresource:status", true)] : []),
    ...scaleMarkers(version),
    ...columnMarkers(version),
    ...version.selectableFields.map((path) => markerText("kubebuilder:selectablefield", { JSONPath: path })),
    ...(version.storage && crd.versions.length > 1 ? [markerText("kubebuilder:storageversion", true)] : []),
    ...(version.served ? [] : [markerText("kubebuilder:unservedversion", true)]),
    ...deprecationMarkers(version),
    ...(version.storage ? metadataMarkers(crd) : []),
  ];
  return markers.filter((text) => text !== undefined);
}

function resourceMarkers({
  kind,
  plural,
  singular,
  shortNames,
  categories,
  scope,
}: CrdFacts): readonly (string | undefined)[] {
  const value = {
    ...(plural === resourceNameOf(kind) ? {} : { path: plural }),
    ...(singular === kind.toLowerCase() ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortName: shortNames }),
    ...(categories.length === 0 ? {} : { categories }),
    ...(scope === "Namespaced" ? {} : { scope }),
  };
  return Object.keys(value).length === 0 ? [] : [markerText("kubebuilder:resource", value)];
}

function scaleMarkers({ scale }: CrdVersionFacts): readonly (string | undefined)[] {
  if (scale === undefined) return [];
  const { specReplicasPath = "", statusReplicasPath = "", labelSelectorPath } = scale;
  const selector = labelSelectorPath === undefined ? {} : { selectorpath: labelSelectorPath };
  return [
    markerText("kubebuilder:subresource:scale", {
      specpath: specReplicasPath,
      statuspath: statusReplicasPath,
      ...selector,
    }),
  ];
}

function columnMarkers({ columns }: CrdVersionFacts): readonly (string | undefined)[] {
  return columns.map(({ name, type, jsonPath, ...rest }) =>
    markerText("kubebuilder:printcolumn", { name, type, JSONPath: jsonPath, ...rest }),
  );
}

function deprecationMarkers({ deprecated, deprecationWarning }: CrdVersionFacts): readonly (string | undefined)[] {
  if (!deprecated) return [];
  if (deprecationWarning === "") return ["+kubebuilder:deprecatedversion"];
  return [markerText("kubebuilder:deprecatedversion", { warning: deprecationWarning })];
}

function metadataMarkers({ labels, annotations }: CrdFacts): readonly (string | undefined)[] {
  const listOf = (record: Readonly<Record<string, string>>): readonly string[] =>
    Object.entries(record).map(([key, value]) => `${key}=${value}`);
  const value = {
    ...(Object.keys(annotations).length === 0 ? {} : { annotations: listOf(annotations) }),
    ...(Object.keys(labels).length === 0 ? {} : { labels: listOf(labels) }),
  };
  return Object.keys(value).length === 0 ? [] : [markerText("kubebuilder:metadata", value)];
}
