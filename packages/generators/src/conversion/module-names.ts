import path from "node:path";

import type { Declaration } from "../loader/type-model.ts";
import type { ComparedVersions, StructPair } from "./struct-pairs.ts";

/** The names under which a generated file imports the files of its types. */
export interface ModuleNames {
  /** Returns the code that names the type of a declaration. */
  readonly typeOf: (declaration: Declaration) => string;
  /** Returns the names by the paths of the files, relative to the root, once all types are named. */
  readonly used: () => ReadonlyMap<string, string>;
}

/** Names files after the version whose kind they declare, and all others after themselves. */
export function createModuleNames(versions: ComparedVersions, { spoke, hub }: StructPair): ModuleNames {
  const own = new Map([
    [spoke.file, identifier(versions.spoke)],
    [hub.file, identifier(versions.hub)],
  ]);
  const used = new Map<string, string>();
  const nameOf = (file: string): string => {
    const known = used.get(file);
    if (known !== undefined) return known;
    const taken = new Set([...own.values(), ...used.values(), ...RESERVED]);
    const name = own.get(file) ?? freeName(identifier(path.posix.basename(file).replace(/\.[cm]?ts$/u, "")), taken);
    used.set(file, name);
    return name;
  };
  return {
    typeOf: ({ file, name, exportName = name }) => `${nameOf(file)}.${exportName}`,
    used: () => used,
  };
}

const RESERVED = ["source", "conversions", "converted", "losslessConverter", "hubSchema", "spokeSchema", "mapValues"];

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const numbered = count === 1 ? name : `${name}${String(count)}`;
    if (!taken.has(numbered)) return numbered;
  }
}

// `relay_types` becomes `relayTypes`.
function identifier(text: string): string {
  const words = text.split(/\W|_/u).filter((word) => word !== "");
  const joined = words
    .map((word, index) => (index === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1)))
    .join("");
  return /^[A-Za-z]/u.test(joined) ? joined : `types${joined}`;
}
