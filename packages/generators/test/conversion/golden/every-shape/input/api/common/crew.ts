/** Crew is shared by all versions. */
export interface Crew {
  /** names are the names. */
  names: string[];
}
