import { createHash } from "node:crypto";

import { definitionPlace } from "../k8s-types/places.mjs";

/**
 * Returns the digests of the tables of one version as they are in the sources of Kubernetes: definitions by place, resources, and groups. A test compares them with
 * what packages/k8s makes of its tables.
 */
export function digestsOf({ definitions, resources, gatedResources, groups }) {
  const places = {};
  for (const [name, definition] of Object.entries(definitions).toSorted(byKey)) {
    const { place } = definitionPlace(name);
    places[place] = { ...places[place], [name]: definition };
  }
  return {
    groups: digest(groups),
    resources: digest([...resources, ...gatedResources]),
    definitions: Object.fromEntries(
      Object.entries(places)
        .toSorted(byKey)
        .map(([place, own]) => [place, digest(own)]),
    ),
  };
}

function digest(value) {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

function byKey([a], [b]) {
  return a < b ? -1 : 1;
}
