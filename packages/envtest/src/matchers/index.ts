/**
 * Matchers of clients for vitest: {@link clientMatchers}, and their types.
 */
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { KindRef, ObjectKey, UnstructuredObject } from "@kubescaffold/runtime";

import type { PollingOptions } from "../eventually/polling.ts";
import type { ExpectedObject } from "./expected-object.ts";

export { type ClientMatcher, clientMatchers, type MatcherResult } from "./client-matchers.ts";
export type { ExpectedObject, PartialObject } from "./expected-object.ts";
export type { PollingOptions } from "../eventually/polling.ts";
export { MatcherUsageError } from "../failures/errors.ts";

/** An assertion about an object that a client reads. */
export type ClientAssertion<R> = <O extends KubernetesObject = UnstructuredObject>(
  kind: KindRef<O>,
  key: ObjectKey,
  expected?: ExpectedObject<O>,
  options?: PollingOptions,
) => R;

/** The assertions that {@link clientMatchers} adds to `expect(client)`. */
export interface ClientAssertions<R = Promise<void>> {
  /** Waits until an object exists, and has the expected fields or meets a predicate. Default: for 4000 ms. */
  readonly toEventuallyHave: ClientAssertion<R>;
  /** Waits until an object does not exist, or lacks the fields, or does not meet a predicate. Default: for 4000 ms. */
  readonly toEventuallyNotHave: ClientAssertion<R>;
  /** Checks that an object keeps existing, and keeps its expected fields or keeps meeting a predicate. Default: for 200 ms. */
  readonly toConsistentlyHave: ClientAssertion<R>;
  /** Checks that no object exists, or that it never has the fields or meets a predicate. Default: for 200 ms. */
  readonly toConsistentlyNotHave: ClientAssertion<R>;
}

declare module "vitest" {
  // The type parameter must be that of vitest.
  interface Matchers<T> extends ClientAssertions<T extends never ? never : Promise<void>> {}
}
