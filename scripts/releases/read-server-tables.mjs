import { pinnedVersion } from "../control-plane-pins.mjs";
import { clientSources, kubernetesSources } from "./kubernetes-sources.mjs";
import { readGates } from "./read-gates.mjs";
import { readRoles } from "./read-roles.mjs";

/**
 * Reads the tables of packages/apiserver for some minor versions, the oldest first, from the sources of Kubernetes: the lines of feature gates, roles, and bindings,
 * and the names of gates that are gone although what they enabled stays.
 */
export function readServerTables(minors) {
  const found = new Map();
  const known = new Map();
  for (const minor of minors) {
    const sources = kubernetesSources(minor);
    const gates = readGates({ sources, clientSources: clientSources(minor), minor });
    const present = new Set(gates.map(({ name }) => name));
    const retiredGates = [...known].filter(([name, isOn]) => isOn && !present.has(name)).map(([name]) => name);
    for (const { name, isOn } of gates) known.set(name, isOn);
    found.set(minor, {
      version: pinnedVersion(minor).replace(/^v/u, ""),
      gates: gates.map(({ name, stage, isOn }) => `${name} ${stage} ${isOn ? "1" : "0"}`),
      retiredGates: retiredGates.toSorted((left, right) => (left < right ? -1 : 1)),
      ...readRoles(sources),
    });
  }
  return found;
}
