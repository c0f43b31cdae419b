import { type GroupVersionKind, messageOf } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import type { ObjectKey, Reader } from "@kubescaffold/runtime";
import type { MatcherState } from "vitest";

import { EVENTUALLY_INTERVAL_MS, EVENTUALLY_TIMEOUT_MS } from "../eventually/eventually.ts";
import { describeObject, type Observation, observe } from "../eventually/observation.ts";
import { poll, type Polled, type PollingOptions } from "../eventually/polling.ts";
import { MatcherUsageError } from "../failures/errors.ts";
import { type ExpectedObject, mentionedFields, withoutManagedFields } from "./expected-object.ts";

/** The time in milliseconds that a state must last by default. */
const CONSISTENTLY_TIMEOUT_MS = 200;

/** The result of a matcher. */
export interface MatcherResult {
  /** Whether the state is the expected one. */
  readonly pass: boolean;
  /** Returns the expectation, and the last state as a diff. */
  readonly message: () => string;
}

/** A matcher of the objects that a client reads. */
export type ClientMatcher = (
  this: MatcherState,
  client: unknown,
  kind: GroupVersionKind,
  key: ObjectKey,
  expected?: ExpectedObject<KubernetesObject>,
  options?: PollingOptions,
) => Promise<MatcherResult>;

/**
 * Matchers of clients and caches, for `expect.extend` of vitest.
 *
 * Guarantees: they wait in real time, also while a test replaces the global timers.
 * Fails: the matchers with {@link MatcherUsageError} for a value other than a client, or with `.not`.
 *
 * @example
 * expect.extend(clientMatchers);
 * await expect(client).toEventuallyHave(Deployment, key, { spec: { replicas: 3 } });
 */
export const clientMatchers: {
  readonly [
    N in "toEventuallyHave" | "toEventuallyNotHave" | "toConsistentlyHave" | "toConsistentlyNotHave"
  ]: ClientMatcher;
} = {
  toEventuallyHave: matcher(eventual, true),
  toEventuallyNotHave: matcher(eventual, false),
  toConsistentlyHave: matcher(consistent, true),
  toConsistentlyNotHave: matcher(consistent, false),
};

type Seen = Observation<ReadonlyObject>;

function matcher(check: typeof eventual, isWanted: boolean): ClientMatcher {
  return async function match(this: MatcherState, client, kind, key, expected, options) {
    return check(new Expectation({ state: this, client, kind, key, expected, isWanted }), options);
  };
}

async function eventual(expectation: Expectation, options: PollingOptions = {}): Promise<MatcherResult> {
  const { timeoutMs = EVENTUALLY_TIMEOUT_MS, intervalMs = EVENTUALLY_INTERVAL_MS, ...others } = options;
  const polled = await poll(
    (signal) => expectation.read(signal),
    (seen) => expectation.isMet(seen),
    { timeoutMs, intervalMs, ...others },
  );
  return {
    pass: polled.isFinal,
    message: () =>
      `${expectation.text("eventually")} (${timesOf(polled)} in ${String(timeoutMs)} ms)${expectation.lastState(polled)}`,
  };
}

async function consistent(expectation: Expectation, options: PollingOptions = {}): Promise<MatcherResult> {
  const { timeoutMs = CONSISTENTLY_TIMEOUT_MS, intervalMs = EVENTUALLY_INTERVAL_MS, ...others } = options;
  const started = performance.now();
  const polled = await poll(
    (signal) => expectation.read(signal),
    (seen) => !expectation.isMet(seen),
    { timeoutMs, intervalMs, ...others },
  );
  const elapsedMs = Math.round(performance.now() - started);
  return {
    pass: !polled.isFinal && polled.attempts > 0,
    message: () =>
      `${expectation.text("consistently")} (${timesOf(polled)} in ${String(elapsedMs)} ms)${expectation.lastState(polled)}`,
  };
}

function timesOf({ attempts }: Polled<Seen>): string {
  return attempts === 1 ? "1 read" : `${String(attempts)} reads`;
}

/** The object that a matcher expects to exist or not to exist. */
class Expectation {
  readonly #state: MatcherState;
  readonly #client: Pick<Reader, "get">;
  readonly #kind: GroupVersionKind;
  readonly #key: ObjectKey;
  readonly #expected: unknown;
  readonly #isWanted: boolean;

  constructor({
    state,
    client,
    kind,
    key,
    expected,
    isWanted,
  }: {
    readonly state: MatcherState;
    readonly client: unknown;
    readonly kind: GroupVersionKind;
    readonly key: ObjectKey;
    readonly expected: unknown;
    readonly isWanted: boolean;
  }) {
    if (state.isNot) {
      throw new MatcherUsageError("matchers of clients have no .not", {
        hint: "use toEventuallyNotHave or toConsistentlyNotHave",
      });
    }
    if (!isReader(client)) {
      throw new MatcherUsageError(`expected a client or a cache, got ${state.utils.stringify(client)}`);
    }
    this.#state = state;
    this.#client = client;
    this.#kind = kind;
    this.#key = key;
    this.#expected = expected;
    this.#isWanted = isWanted;
  }

  async read(signal: AbortSignal): Promise<Seen> {
    return observe(this.#client, this.#kind, this.#key, signal);
  }

  // A failed read proves neither that an object exists nor that it does not.
  isMet(seen: Seen): boolean {
    return seen.kind !== "failed" && (seen.kind === "found" && this.#matches(seen.object)) === this.#isWanted;
  }

  text(when: string): string {
    const what = describeObject(this.#kind, this.#key);
    const not = this.#isWanted ? "" : "not ";
    if (this.#expected === undefined) return `expected ${what} to ${when} ${not}exist`;
    return typeof this.#expected === "function"
      ? `expected ${what} to ${when} ${not}meet the predicate`
      : `expected ${what} to ${when} ${not}have the fields`;
  }

  lastState({ last, previous }: Polled<Seen>): string {
    if (last === undefined) return ", but no read completed";
    if (last.kind === "absent") return ", but it does not exist";
    if (last.kind === "failed") return `, but the last read failed: ${messageOf(last.error)}`;
    const { utils } = this.#state;
    const [object, before] = [last, previous].map((seen) =>
      seen?.kind === "found" ? withoutManagedFields(seen.object) : undefined,
    );
    if (this.#expected !== undefined && typeof this.#expected !== "function" && this.#isWanted) {
      return `\n\n${utils.diff(this.#expected, mentionedFields(object, this.#expected)) ?? ""}`;
    }
    const thrown = this.#thrownBy(last.object);
    const reason = thrown === undefined ? "" : `, but the predicate threw: ${messageOf(thrown)}`;
    const change = before === undefined ? undefined : utils.diff(before, object, CHANGE);
    const text = utils.stringify(object, undefined, { maxLength: Number.POSITIVE_INFINITY });
    return `${reason}\n\n${change === undefined || this.#state.equals(before, object) ? `last state:\n${text}` : change}`;
  }

  #matches(object: ReadonlyObject): boolean {
    const expected = this.#expected;
    if (expected === undefined) return true;
    if (typeof expected === "function") return this.#thrownBy(object) === undefined && this.#satisfies(object);
    const { customTesters, equals, utils } = this.#state;
    return equals(object, expected, [...customTesters, utils.iterableEquality, utils.subsetEquality]);
  }

  #thrownBy(object: ReadonlyObject): unknown {
    if (typeof this.#expected !== "function") return undefined;
    try {
      this.#satisfies(object);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  // Only true counts: a promise, or a field that does not exist, must not pass.
  #satisfies(object: ReadonlyObject): boolean {
    return (this.#expected as (object: ReadonlyObject) => unknown)(object) === true;
  }
}

const CHANGE = { aAnnotation: "Before", bAnnotation: "Last" };

function isReader(value: unknown): value is Pick<Reader, "get"> {
  return isRecord(value) && typeof value["get"] === "function";
}
