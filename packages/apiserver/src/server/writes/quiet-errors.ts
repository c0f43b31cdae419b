import { ScaffoldError } from "@kubescaffold/k8s";

import type { WriteAuthor } from "./request-writes.ts";
import { CYCLE_ROUNDS, type WriteCycle } from "./write-cycles.ts";

/** An object that is written again and again. */
export interface WrittenObject {
  /** The API group. */
  readonly group: string;
  /** The plural name. */
  readonly resource: string;
  /** The namespace; empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The name. */
  readonly name: string;
}

/**
 * Thrown when `quiet` finds an object whose writes repeat: it never comes to rest.
 *
 * Fix: Let the writer compare the object with the desired state, and write only what differs; two writers of one field must agree on one. Pass writes that
 * are meant to repeat in `ignore`.
 */
export class WriteCycleError extends ScaffoldError {
  readonly code = "APISERVER_WRITE_CYCLE";
  /** The object. */
  readonly object: WrittenObject;
  /** Its writers. */
  readonly writers: readonly WriteAuthor[];
  /** The number of writes until the object is in the same state again; 1 when each write leaves it as it was. */
  readonly period: number;
  /** The fields that the writes change back and forth, such as `spec.replicas`. */
  readonly fields: readonly string[];

  constructor(object: WrittenObject, { writers, period, fields }: WriteCycle) {
    super(
      `${describeObject(object)} does not come to rest: ${writers.map(describeAuthor).join(", and ")} repeated ${effectOf(period, fields)} ${String(CYCLE_ROUNDS)} times`,
      { hint: "let the writer compare the object with the desired state first, or pass the writes in `ignore`" },
    );
    this.object = object;
    this.writers = writers;
    this.period = period;
    this.fields = fields;
  }
}

function effectOf(period: number, fields: readonly string[]): string {
  if (period === 1) return "a write that changes nothing";
  const changed = fields.length === 0 ? "" : ` of ${fields.join(", ")}`;
  return `${String(period)} writes${changed}`;
}

/**
 * Thrown when `quiet` found no rest within its time.
 *
 * Fix: The message names what is going on: the last write, requests without an answer, and watches that are not open. Raise `timeoutMs` for slow clients, and
 * pass writes that never end in `ignore`.
 */
export class NotQuietError extends ScaffoldError {
  readonly code = "APISERVER_NOT_QUIET";
  /** What is going on. */
  readonly reasons: readonly string[];

  constructor(when: string, reasons: readonly string[]) {
    super(`the cluster is not at rest ${when}: ${reasons.join("; ")}`, {
      hint: "raise `timeoutMs`, or pass writes that never end in `ignore`",
    });
    this.reasons = reasons;
  }
}

/** Returns an object in a message: `deployments.apps default/web`. */
export function describeObject({ group, resource, namespace, name }: WrittenObject): string {
  return `${resource}${group === "" ? "" : `.${group}`} ${namespace === "" ? "" : `${namespace}/`}${name}`;
}

/** Returns an author in a message. */
export function describeAuthor({ user, userAgent, verb, subresource }: WriteAuthor): string {
  if (user === "") return "the server";
  const target = subresource === "" ? "" : ` of ${subresource}`;
  return `${user}${userAgent === "" ? "" : ` (${userAgent})`} with ${verb}${target}`;
}
