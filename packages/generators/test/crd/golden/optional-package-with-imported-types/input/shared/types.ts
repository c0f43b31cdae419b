export interface Shared {
  a: string;
  // +optional
  b: string;
}
