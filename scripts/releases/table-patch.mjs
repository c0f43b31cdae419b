import { definitionPlace } from "../k8s-types/places.mjs";
import { withoutElementDefaults } from "./element-defaults.mjs";

/**
 * Returns what makes the tables of one version of those of another: definitions by place, resources, prefixes, and groups, each only where it differs.
 * `null` stands for what the other version lacks. Members of a definition are replaced as a whole, and its properties one by one.
 */
export function tablePatch(base, other) {
  return {
    definitions: definitionsByPlace(
      withoutElementDefaults(base.definitions),
      withoutElementDefaults(other.definitions),
    ),
    resources: changes(byName(base.resources), byName(other.resources)),
    gatedResources: changes(byName(base.gatedResources), byName(other.gatedResources)),
    prefixes: changes(base.prefixes, other.prefixes),
    groups: isSame(base.groups, other.groups) ? undefined : other.groups,
  };
}

function definitionsByPlace(base, other) {
  const patches = schemaPatch(base, other);
  const places = {};
  for (const [name, patch] of Object.entries(patches)) {
    const { place } = definitionPlace(name);
    places[place] = { ...places[place], [name]: patch };
  }
  return Object.fromEntries(Object.entries(places).toSorted(byKey));
}

/** Returns what makes schemas by name of those of another version: members that differ, and of `properties` those that differ. */
export function schemaPatch(base, other) {
  return changes(base, other, (left, right) => ({
    ...changes(withoutProperties(left), withoutProperties(right)),
    ...propertyChanges(left.properties, right.properties),
  }));
}

function withoutProperties(definition) {
  const others = { ...definition };
  delete others.properties;
  return others;
}

function propertyChanges(base, other) {
  if (isSame(base, other)) return {};
  return { properties: other === undefined ? null : changes(base ?? {}, other) };
}

function byName(resources) {
  return Object.fromEntries(
    resources.map((resource) => [`${resource.group}/${resource.version}/${resource.plural}`, resource]),
  );
}

function changes(base, other, change = (_, right) => right) {
  const names = [...new Set([...Object.keys(base), ...Object.keys(other)])].toSorted();
  return Object.fromEntries(
    names
      .filter((name) => !isSame(base[name], other[name]))
      .map((name) => {
        if (other[name] === undefined) return [name, null];
        return [name, base[name] === undefined ? other[name] : change(base[name], other[name])];
      }),
  );
}

function isSame(left, right) {
  return JSON.stringify(left) === JSON.stringify(right);
}

function byKey([a], [b]) {
  return a < b ? -1 : 1;
}
