import type { SchemaPatch } from "./schema-patch.ts";

/** What differs in the tables of another minor version. A value of `null` stands for what that version lacks. */
export interface ReleasePatch {
  /** The minor version. */
  readonly minor: string;
  /** Resources by group, version, and plural name. */
  readonly resources: Readonly<Record<string, ResourceRow | null>>;
  /** The same for resources that need a feature gate. */
  readonly gatedResources: Readonly<Record<string, ResourceRow | null>>;
  /** The groups, if they or their order differ. */
  readonly groups?: readonly string[];
  /** Beginnings of the names of definitions. */
  readonly prefixes: Readonly<Record<string, string | null>>;
  /** Whether elements of lists and maps have a default. */
  readonly hasElementDefaults: boolean;
  /** By group and version, definitions by name: their members, and in `properties` those that differ. */
  readonly definitions: Readonly<Record<string, SchemaPatch>>;
}

/** What identifies a resource in the tables. */
export interface ResourceRow {
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The version of the group. */
  readonly version: string;
  /** The plural name. */
  readonly plural: string;
}
