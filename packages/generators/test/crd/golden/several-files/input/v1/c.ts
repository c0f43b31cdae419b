/** Part is in a file of its own. */
export interface Part {
  name: string;
}
