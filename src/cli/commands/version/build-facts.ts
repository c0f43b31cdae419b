/** What the program was built from. */
export interface BuildFacts {
  /** The hash of a commit, `-dirty` behind it where sources differed from it. */
  readonly commit: string;
  /** When the commit was made, in UTC. */
  readonly date: string;
}

/** Facts of this program; the bundle has those of the clone it was built in, if it was. */
export const BUILD_FACTS: BuildFacts = { commit: "unknown", date: "unknown" };
