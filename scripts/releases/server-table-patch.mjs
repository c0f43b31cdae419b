import { createHash } from "node:crypto";

/**
 * Returns what makes the tables of one version of those of another: the lines that are new or differ, and `-` with the name of each line that the other version
 * lacks.
 */
export function serverTablePatch(base, other) {
  return {
    version: other.version,
    gates: linePatch(base.gates, other.gates, " "),
    retiredGates: other.retiredGates,
    roles: linePatch(base.roles, other.roles, "|"),
    bindings: linePatch(base.bindings, other.bindings, "|"),
  };
}

/** Returns the digests of the tables of one version as they are in the sources of Kubernetes; a test compares them with what packages/apiserver has. */
export function serverDigestsOf({ version, gates, retiredGates, roles, bindings }) {
  return {
    version,
    gates: digest(gates),
    retiredGates: digest(retiredGates),
    roles: digest(roles),
    bindings: digest(bindings),
  };
}

function linePatch(base, other, separator) {
  const nameOf = (line) => line.slice(0, line.indexOf(separator));
  const names = new Set(other.map(nameOf));
  const known = new Set(base);
  return [
    ...base
      .map(nameOf)
      .filter((name) => !names.has(name))
      .map((name) => `-${name}`),
    ...other.filter((line) => !known.has(line)),
  ];
}

function digest(lines) {
  return createHash("sha256").update(lines.join("\n")).digest("hex").slice(0, 16);
}
