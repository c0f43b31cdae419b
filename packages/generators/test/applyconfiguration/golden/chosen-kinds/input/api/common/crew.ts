/** Crew is shared by packages. */
export interface Crew {
  captain?: string;
  /**
   * +listType=map
   * +listMapKey=name
   */
  sailors?: { name: string; rank?: string }[];
}
