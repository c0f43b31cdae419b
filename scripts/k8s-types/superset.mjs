import { definitionPlace, folderOf, groupPlace } from "./places.mjs";

const API = "io.k8s.api.";

/**
 * Returns the tables of several minor versions as one, given those of each by minor version, the oldest first: every definition, property, and resource that
 * one of them has, as in the newest that has it. `versionsOf` returns the text that states the versions, such as `since 1.36`, of a definition or of one of its
 * properties; it is empty for what all versions have, and for properties that are as old as their definition.
 */
export function superset(tables) {
  const minors = Object.keys(tables);
  const names = [...new Set(Object.values(tables).flatMap(({ definitions }) => Object.keys(definitions)))].toSorted();
  const definitions = Object.fromEntries(names.map((name) => [name, mergedDefinition(tables, name)]));
  const versionsOf = (name, property) => {
    const known = minors.filter((minor) => name in tables[minor].definitions);
    if (property === undefined) return versionsText(known, minors);
    return versionsText(
      known.filter((minor) => property in (tables[minor].definitions[name].properties ?? {})),
      known,
    );
  };
  const resources = Object.assign({}, ...Object.values(tables).map(resourcesByName));
  return { definitions, resources: Object.values(resources), versionsOf };
}

/** Lists the modules of types of a superset: their folder and version, their group and version, and their definitions by name. */
export function modulesOf({ definitions, resources }) {
  const groupVersions = new Map(
    resources.map(({ group, version }) => [groupPlace({ group, version }), { group, version }]),
  );
  const groups = new Map([...groupVersions].map(([place, { group }]) => [folderOf(place), group]));
  const places = new Map([...groupVersions.keys()].toSorted((a, b) => (a < b ? -1 : 1)).map((place) => [place, []]));
  for (const [definition, schema] of Object.entries(definitions)) {
    const { place, name } = definitionPlace(definition);
    // Kinds may have parts in a version that servers do not have by default.
    if (!places.has(place) && definition.startsWith(API)) places.set(place, []);
    places.get(place)?.push({ name, definition, schema });
  }
  return [...places].map(([place, own]) => ({
    place,
    groupVersion: groupVersions.get(place) ?? { group: groups.get(folderOf(place)), version: place.split("/")[1] },
    definitions: own.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }));
}

/** Returns the text that states which of some versions have something: `since 1.36`, `until 1.35`, or `only in 1.35`; empty for all of them. */
export function versionsText(having, all) {
  const [first, last] = [having[0], having.at(-1)];
  if (first === all[0]) return last === all.at(-1) ? "" : `until ${last}`;
  if (last === all.at(-1)) return `since ${first}`;
  return first === last ? `only in ${first}` : `from ${first} to ${last}`;
}

function mergedDefinition(tables, name) {
  const versions = Object.values(tables).flatMap(({ definitions }) => definitions[name] ?? []);
  const properties = Object.assign({}, ...versions.map((each) => each.properties));
  const newest = versions.at(-1);
  if (Object.keys(properties).length === 0) return newest;
  const sorted = Object.entries(properties).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...newest, properties: Object.fromEntries(sorted) };
}

function resourcesByName({ resources, gatedResources }) {
  const all = [...resources, ...gatedResources];
  return Object.fromEntries(all.map((each) => [`${each.group}/${each.version}/${each.plural}`, each]));
}
