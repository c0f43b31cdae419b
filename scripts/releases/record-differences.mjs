// Records what minor versions of Kubernetes have and others lack, from the sources that hack/control-plane pins: types, fields, resources, verbs, the libraries of
// CEL, and the formats of strings. A test compares `manifests` and `doctor` with it. Needs Go, which downloads the sources.
//
//   node scripts/releases/record-differences.mjs
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { pinnedMinors } from "../control-plane-pins.mjs";
import { definitionPlace } from "../k8s-types/places.mjs";
import { kubernetesSources, stagingSources } from "./kubernetes-sources.mjs";
import { readTables } from "./read-tables.mjs";

const RECORD = fileURLToPath(new URL("../../packages/generators/test/releases/differences.json", import.meta.url));
const minors = pinnedMinors();

// Libraries were functions without versions before they had any.
const CEL = {
  file: "pkg/cel/environment/base.go",
  introduced: /\bIntroducedVersion:\s*/u,
  removed: /\bRemovedVersion:\s*version\.MajorMinor\(1, (\d+)\)/u,
  name: /\b(?:ext|library)\.[A-Z]\w*(?<!Version)(?=[(),])/gu,
};
const FORMATS = {
  file: "pkg/apiserver/validation/formats.go",
  introduced: /\bintroducedVersion:\s*/u,
  name: /"[a-z][\w-]*"(?=,)/gu,
};

const tables = Object.fromEntries(minors.map((minor) => [minor, readTables(kubernetesSources(minor))]));
const types = having((minor) => Object.keys(tables[minor].definitions).map(keyOf));
const fields = having((minor) =>
  Object.entries(tables[minor].definitions).flatMap(([name, { properties = {} }]) =>
    Object.keys(properties).map((property) => `${keyOf(name)} ${property}`),
  ),
);
const verbs = having((minor) => tables[minor].resources.flatMap(verbsOf));
const resources = having((minor) => [...new Set(tables[minor].resources.flatMap(verbsOf).map(beforeBlank))]);
const record = {
  types: partly(types),
  // A field of a type that a version lacks is not another difference.
  fields: partly(fields, (field, minor) => types.get(beforeBlank(field)).includes(minor)),
  resources: partly(resources),
  verbs: partly(verbs, (verb, minor) => resources.get(beforeBlank(verb)).includes(minor)),
  libraries: partly(having((minor) => versionedParts("apiserver", minor, CEL).filter(isFor(minor)).map(nameOf))),
  formats: partly(
    having((minor) => versionedParts("apiextensions-apiserver", minor, FORMATS).filter(isFor(minor)).map(nameOf)),
  ),
};
await writeFile(RECORD, `${JSON.stringify(record, undefined, 2)}\n`);

function keyOf(definition) {
  const { place, name } = definitionPlace(definition);
  return `${place}.${name}`;
}

function verbsOf({ group, plural, verbs: own, subresources }) {
  return [{ name: "", verbs: own }, ...subresources].flatMap(({ name, verbs: each }) =>
    each.map((verb) => `${group}/${plural}${name === "" ? "" : `/${name}`} ${verb}`),
  );
}

function beforeBlank(text) {
  return text.slice(0, text.indexOf(" "));
}

// By name, the minor versions that have it.
function having(namesOf) {
  const found = new Map();
  for (const minor of minors)
    for (const name of new Set(namesOf(minor))) found.set(name, [...(found.get(name) ?? []), minor]);
  return found;
}

function partly(found, isAsked = () => true) {
  const entries = [...found].filter(([name, own]) =>
    minors.some((minor) => !own.includes(minor) && isAsked(name, minor)),
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

// The parts of a Go file that state the version that introduced them, and names.
function versionedParts(module, minor, { file, introduced, removed, name }) {
  const text = readFileSync(join(stagingSources(module, minor), file), "utf8");
  return text
    .split(introduced)
    .slice(1)
    .flatMap((part) => {
      const since = /^version\.MajorMinor\(1, (\d+)\)/u.exec(part)?.[1];
      if (since === undefined) throw new Error(`${file} of ${module} ${minor} is not what it was`);
      const until = removed?.exec(part)?.[1];
      return [...part.matchAll(name)].map(([text]) => ({
        text,
        since: Number(since),
        until: until === undefined ? undefined : Number(until),
      }));
    });
}

// Servers take for new objects what the former minor version has, so that they can be rolled back.
function isFor(minor) {
  const former = Number(minor.slice(2)) - 1;
  return ({ since, until }) => since <= former && (until === undefined || until > former);
}

function nameOf({ text }) {
  return text.replaceAll('"', "");
}
