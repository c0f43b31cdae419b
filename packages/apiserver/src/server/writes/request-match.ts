/** Selects the requests of a fault: those that match all given fields. */
export interface FaultMatch {
  /** The verb, such as `list`. */
  readonly verb?: string;
  /** The API group. */
  readonly group?: string;
  /** The plural name. */
  readonly resource?: string;
  /** The subresource. */
  readonly subresource?: string;
  /** The namespace. */
  readonly namespace?: string;
  /** The name of the object. */
  readonly name?: string;
  /** The user of the request. */
  readonly user?: string;
}

/** Reports whether a request has all fields that a match gives. */
export function isRequestMatch(match: FaultMatch, request: Readonly<Record<keyof FaultMatch, string>>): boolean {
  return FIELDS.every((key) => match[key] === undefined || match[key] === request[key]);
}

const FIELDS: readonly (keyof FaultMatch)[] = ["verb", "group", "resource", "subresource", "namespace", "name", "user"];
