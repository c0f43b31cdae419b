/** The state of a server at a point in time; opaque, and valid only for the server that created it. */
export interface ServerSnapshot {
  /** Distinguishes it from other data. */
  readonly kind: "api-server-snapshot";
}
