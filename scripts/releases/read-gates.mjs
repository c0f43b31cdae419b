import { readFileSync } from "node:fs";
import path from "node:path";

import { parse } from "yaml";

const LIST = path.join("test", "compatibility_lifecycle", "reference", "versioned_feature_list.yaml");
const CONSTANTS = path.join("pkg", "features", "kube_features.go");
// Those of the library of feature gates itself.
const SETS = [
  { name: "AllAlpha", stage: "ALPHA", isOn: false },
  { name: "AllBeta", stage: "BETA", isOn: false },
];

/**
 * Reads the feature gates of kube-apiserver from the sources of Kubernetes and of client-go, sorted by name: `{ name, stage, isOn }`. A stage is `ALPHA`, `BETA`,
 * `DEPRECATED`, or empty for stable features, as the metrics of a server state it.
 */
export function readGates({ sources, clientSources, minor }) {
  const constants = readFileSync(path.join(sources, CONSTANTS), "utf8");
  const client = readFileSync(path.join(clientSources, "features", "known_features.go"), "utf8");
  const names = gateNames(constants);
  const listed = parse(readFileSync(path.join(sources, LIST), "utf8")).map(({ name, versionedSpecs }) => ({
    name: names.get(name) ?? name,
    specs: versionedSpecs,
  }));
  const gates = [...listed, ...clientGates(client)].flatMap(({ name, specs }) => {
    const current = specs.filter((spec) => appliesTo(spec, minorOf(minor))).at(-1);
    return current === undefined ? [] : [{ name, stage: stageOf(current.preRelease), isOn: current.default }];
  });
  return [...gates, ...SETS].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

// Unless its flags say otherwise, a server is compatible with the minor version before its own.
function appliesTo({ version, minCompatibilityVersion }, minor) {
  return (
    minorOf(version) <= minor && (minCompatibilityVersion === undefined || minorOf(minCompatibilityVersion) < minor)
  );
}

// The list has the names of constants, which differ from those of their gates in a few cases.
function gateNames(constants) {
  const found = constants.matchAll(/^\t(\w+)[\t ]+(?:featuregate\.Feature )?= "(\w+)"$/gmu);
  return new Map([...found].map(([, constant, name]) => [constant, name]));
}

// client-go has its own gates, which are in no list, and until 1.34 have no versions.
function clientGates(source) {
  const versioned = [...source.matchAll(/^\t(\w+): \{\n((?:\t\t\{.*\},\n)+)\t\},$/gmu)].map(([, name, lines]) => ({
    name,
    specs: [
      ...lines.matchAll(/Version: version\.MustParse\("([\d.]+)"\), Default: (true|false), PreRelease: (\w+)/gu),
    ].map(([, version, isOn, preRelease]) => ({ version, default: isOn === "true", preRelease })),
  }));
  const plain = [...source.matchAll(/^\t(\w+): +\{Default: (true|false), PreRelease: (\w+)/gmu)].map(
    ([, name, isOn, preRelease]) => ({ name, specs: [{ version: "1.0", default: isOn === "true", preRelease }] }),
  );
  const gates = [...versioned, ...plain];
  if (gates.length === 0) throw new Error("known_features.go of client-go has no feature gates in a known form");
  return gates;
}

function stageOf(preRelease) {
  return preRelease === "GA" ? "" : preRelease.toUpperCase();
}

function minorOf(version) {
  return Number(version.split(".")[1]);
}
