/** The commit that the program was built from. */
export interface BuildFacts {
  /** The hash of a commit, with the suffix `-dirty` where sources differed from it. */
  readonly commit: string;
  /** The time of the commit, in UTC. */
  readonly date: string;
}

// The build defines it; it is missing where the sources run directly.
declare const __BUILD_FACTS__: BuildFacts | undefined;

/** The facts of this program; `unknown` without a build in a clone. */
export const BUILD_FACTS: BuildFacts =
  typeof __BUILD_FACTS__ === "undefined" ? { commit: "unknown", date: "unknown" } : __BUILD_FACTS__;
