/** What differs in the tables of another minor version. A value of `null` stands for what that version lacks. */
export interface ReleasePatch {
  /** The minor version. */
  readonly minor: string;
  /** Resources by group, version, and plural name, as JSON. */
  readonly resources: string;
  /** The same for resources that need a feature gate. */
  readonly gatedResources: string;
  /** The groups, if they or their order differ. */
  readonly groups?: readonly string[];
  /** Beginnings of the names of definitions. */
  readonly prefixes: Readonly<Record<string, string | null>>;
  /** Whether elements of lists and maps have a default. */
  readonly hasElementDefaults: boolean;
  /** By group and version, definitions as JSON: their members, and in `properties` those that differ. */
  readonly definitions: ReadonlyMap<string, string>;
}
