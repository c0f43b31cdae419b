const PREFIXES = {
  "io.k8s.apimachinery.pkg.apis.meta": "meta",
  "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions": "apiextensions",
  "io.k8s.kube-aggregator.pkg.apis.apiregistration": "apiregistration",
};

/** Says where the type of a definition lives: `io.k8s.api.core.v1.Pod` is `Pod` of `core/v1`. */
export function definitionPlace(definition) {
  const parts = definition.split(".");
  const name = parts.at(-1);
  const version = parts.at(-2);
  const prefix = parts.slice(0, -2).join(".");
  return { place: `${PREFIXES[prefix] ?? parts.at(-3)}/${version}`, name };
}

/** Returns the folder of a place: `core` of `core/v1`. */
export function folderOf(place) {
  return place.split("/")[0];
}

/** Returns the folder and version under which the kinds of an API group are imported: `rbac/v1`. */
export function groupPlace({ group, version }) {
  return `${group === "" ? "core" : group.split(".")[0]}/${version}`;
}
