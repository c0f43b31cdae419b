import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject } from "../storage/api-object.ts";

/** The invocations that a plugin repeats in the second round: those with the policy `IfNeeded` before a change of the object. */
export class InvocationRecord {
  #invoked = new Set<string>();
  readonly #repeated = new Set<string>();
  #output: ApiObject | undefined;

  /** Notes an invocation that is repeated after a later change. */
  noteInvocation(key: string): void {
    this.#invoked.add(key);
  }

  /** Notes that the object was changed. */
  noteChange(): void {
    for (const key of this.#invoked) this.#repeated.add(key);
    this.#invoked = new Set();
  }

  /** Notes the object as the plugin leaves it. */
  noteOutput(object: ApiObject | undefined): void {
    this.#output = object;
  }

  /** Notes the object that the plugin gets in the second round, which plugins after it or before it may have changed. */
  noteInput(object: ApiObject | undefined): void {
    if (object !== this.#output && !deepEqual(object, this.#output)) this.noteChange();
  }

  /** Reports whether an invocation is repeated. */
  mustInvoke(key: string): boolean {
    return this.#repeated.has(key);
  }
}
