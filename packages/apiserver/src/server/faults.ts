/** Which requests a fault hits: those that match every given field. */
export interface FaultMatch {
  readonly verb?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly user?: string;
}

/** What goes wrong. */
export type Fault =
  /** Answers later. */
  | { readonly kind: "latency"; readonly match?: FaultMatch; readonly delayMs: number; readonly times?: number }
  /** Answers with a failure status. */
  | {
      readonly kind: "error";
      readonly match?: FaultMatch;
      readonly code: 409 | 429 | 500 | 503 | 504;
      readonly message?: string;
      readonly retryAfterSeconds?: number;
      readonly times?: number;
    }
  /** Closes the connection without an answer. */
  | { readonly kind: "disconnect"; readonly match?: FaultMatch; readonly times?: number };

/** Lets tests see what their code does when the server or the network fails. */
export interface Faults {
  /** Adds a fault, for ever or for `times` requests, and returns what removes it. */
  add(fault: Fault): () => void;
  /** Removes all faults. */
  clear(): void;
  /** Ends running watches without an error, as a dropped connection does. */
  dropWatches(match?: FaultMatch): void;
  /** Forgets the history of changes, so that watches and pages that go on from an earlier resourceVersion get 410. */
  expireHistory(): void;
}
