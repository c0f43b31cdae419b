import { KUBERNETES_MINOR } from "../kubernetes-version.ts";
import { definitionPrefixes } from "./definition-prefixes.ts";
import { definitionTexts, hasElementDefaults } from "./definition-texts.ts";
import type { ReleasePatch, ResourceRow } from "./release-patch.ts";
import { gatedResourceRows, groupNames, resourceRows } from "./resource-rows.ts";
import { patchedMembers, patchedSchemas } from "./schema-patch.ts";

/** The tables of one minor version of Kubernetes, of which little is parsed before it is needed. */
export interface ReleaseTexts {
  /** The minor version, such as `1.35`. */
  readonly minor: string;
  /** The resources that a server has by default, as JSON. */
  readonly resources: string;
  /** The resources that a server has with a feature gate and `--runtime-config` alone, as JSON. */
  readonly gatedResources: string;
  /** The groups in the order of discovery. */
  readonly groups: readonly string[];
  /** The beginnings of the names of definitions, by group version. */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Whether elements of lists and maps have a default: until 1.36. */
  readonly hasElementDefaults: boolean;
  /** Returns the definitions of a group and version, such as `core/v1`, as JSON; undefined if there are none. */
  definitions(place: string): string | undefined;
}

/** The tables of the version whose types this package contains. */
export const baseTexts: ReleaseTexts = {
  minor: KUBERNETES_MINOR,
  resources: resourceRows,
  gatedResources: gatedResourceRows,
  groups: groupNames,
  prefixes: definitionPrefixes,
  hasElementDefaults,
  definitions: (place) => definitionTexts.get(place),
};

/** Returns the tables of another version, given those of a version and what differs. */
export function patchedTexts(base: ReleaseTexts, patch: ReleasePatch): ReleaseTexts {
  const { minor, groups = base.groups } = patch;
  return {
    minor,
    resources: patchedRows(base.resources, patch.resources),
    gatedResources: patchedRows(base.gatedResources, patch.gatedResources),
    groups,
    prefixes: patchedMembers(base.prefixes, patch.prefixes),
    hasElementDefaults: patch.hasElementDefaults,
    definitions: (place) => {
      const changes = patch.definitions[place];
      const text = base.definitions(place);
      if (changes === undefined) return text;
      const definitions = patchedSchemas(parsed(text ?? "{}"), changes);
      return Object.keys(definitions).length === 0 ? undefined : JSON.stringify(definitions);
    },
  };
}

type Definitions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

function patchedRows(base: string, changes: ReleasePatch["resources"]): string {
  const rows = JSON.parse(base) as readonly ResourceRow[];
  const byName = Object.fromEntries(rows.map((row) => [`${row.group}/${row.version}/${row.plural}`, row]));
  const patched = Object.values(patchedMembers(byName, changes));
  const compare = (key: keyof ResourceRow, a: ResourceRow, b: ResourceRow): number =>
    Number(a[key] > b[key]) - Number(a[key] < b[key]);
  return JSON.stringify(
    patched.toSorted((a, b) => compare("group", a, b) || compare("version", a, b) || compare("plural", a, b)),
  );
}

function parsed(text: string): Definitions {
  return JSON.parse(text) as Definitions;
}
