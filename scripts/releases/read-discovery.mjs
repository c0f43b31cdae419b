import { readFileSync } from "node:fs";
import path from "node:path";

/** Lists the group versions in the order in which discovery lists their groups, the core group first, and the preferred version of a group first. */
export function readGroupVersions(sources) {
  const { groups } = readJson(sources, "apis.json");
  return [
    { group: "", version: "v1" },
    ...groups.flatMap(({ name, versions }) => versions.map(({ version }) => ({ group: name, version }))),
  ];
}

/** Lists the resources of a group version, with their subresources, in the order of their names. */
export function readResources(sources, { group, version }) {
  const file = group === "" ? `api__${version}.json` : `apis__${group}__${version}.json`;
  const { resources } = readJson(sources, file);
  const own = { group, version };
  return resources
    .filter(({ name }) => !name.includes("/"))
    .map((resource) => ({
      ...own,
      kind: resource.kind,
      plural: resource.name,
      singular: resource.singularName,
      namespaced: resource.namespaced,
      verbs: resource.verbs,
      shortNames: resource.shortNames ?? [],
      categories: resource.categories ?? [],
      subresources: resources
        .filter(({ name }) => name.startsWith(`${resource.name}/`))
        .map((each) => ({
          name: each.name.slice(resource.name.length + 1),
          // Those of another group name it.
          ...(each.version === undefined ? own : { group: each.group ?? "", version: each.version }),
          kind: each.kind,
          verbs: each.verbs,
        }))
        .toSorted((a, b) => compareTexts(a.name, b.name)),
    }))
    .toSorted((a, b) => compareTexts(a.plural, b.plural));
}

function readJson(sources, file) {
  return JSON.parse(readFileSync(path.join(sources, "api", "discovery", file), "utf8"));
}

function compareTexts(a, b) {
  return a < b ? -1 : Number(a > b);
}
