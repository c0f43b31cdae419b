/** The verbs of the API, as authorization rules name them; other paths have the HTTP method in lower case. */
export type Verb =
  | "get"
  | "list"
  | "watch"
  | "create"
  | "update"
  | "patch"
  | "delete"
  | "deletecollection"
  | (string & {});

/** What a request is about, read from its method, path and query alone. */
export interface RequestInfo {
  readonly isResourceRequest: boolean;
  readonly path: string;
  readonly verb: Verb;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}
