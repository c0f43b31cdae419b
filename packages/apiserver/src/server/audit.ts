/** How often one user has used one verb on one thing. */
export interface AuditEntry {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  /** With the subresource: `deployments/status`; empty for other paths. */
  readonly resource: string;
  readonly namespace: string;
  /** The path, for requests that are not about a resource. */
  readonly path: string;
  readonly allowed: number;
  /** Requests that authorization refused. */
  readonly denied: number;
}

/** Records which verbs were used by whom. */
export interface AuditRecord {
  /** Returns one entry per user, verb, resource and namespace, sorted; of one user when named. */
  entries(user?: string): readonly AuditEntry[];
  clear(): void;
}
