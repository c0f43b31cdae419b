import type { StoreEvent } from "../../storage/object-reader.ts";
import type { WriteAuthor } from "./request-writes.ts";
import { changedFields, comparableObject, digestOf } from "./write-content.ts";

/** The number of equal rounds of writes that make a cycle. */
export const CYCLE_ROUNDS = 5;
const LONGEST_PERIOD = 8;

/** A write of one object. */
export interface CycleWrite {
  readonly author: WriteAuthor;
  /** What the write has changed; undefined when it changed nothing. */
  readonly event: StoreEvent | undefined;
}

/** Writes of one object that repeat: each round leaves it in the same states. */
export interface WriteCycle {
  /** The number of writes in a round. */
  readonly period: number;
  /** The writers, each once. */
  readonly writers: readonly WriteAuthor[];
  /** The fields that the writes change; empty when they change nothing but times and versions. */
  readonly fields: readonly string[];
}

interface Step {
  readonly label: string;
  readonly write: CycleWrite;
}

/** Recognizes objects whose writes repeat. */
export class WriteCycles {
  readonly #steps = new Map<string, Step[]>();

  /** Adds a write of an object; returns the cycle that it completes. */
  add(object: string, write: CycleWrite): WriteCycle | undefined {
    const steps = this.#steps.get(object) ?? [];
    this.#steps.set(object, steps);
    steps.push({ label: labelOf(write), write });
    if (steps.length > LONGEST_PERIOD * CYCLE_ROUNDS) steps.shift();
    const period = periodOf(steps.map(({ label }) => label));
    return period === undefined ? undefined : cycleOf(steps.slice(-period).map((step) => step.write));
  }
}

/** Returns the length of the shortest sequence that the labels end with {@link CYCLE_ROUNDS} times; undefined if there is none. */
export function periodOf(labels: readonly string[]): number | undefined {
  for (let period = 1; period <= LONGEST_PERIOD && period * CYCLE_ROUNDS <= labels.length; period += 1) {
    const last = labels.slice(-period * CYCLE_ROUNDS);
    if (last.every((label, index) => label === last[index % period])) return period;
  }
  return undefined;
}

function labelOf({ author, event }: CycleWrite): string {
  const { user, userAgent, verb, subresource } = author;
  const state = event === undefined ? "unchanged" : [event.kind, comparableObject(event.object)];
  return digestOf([user, userAgent, verb, subresource, state]);
}

function cycleOf(writes: readonly CycleWrite[]): WriteCycle {
  const writers = new Map(writes.map(({ author }) => [`${author.user} ${author.userAgent} ${author.verb}`, author]));
  return {
    period: writes.length,
    writers: [...writers.values()],
    fields: [...new Set(writes.flatMap(fieldsOf))].sort(),
  };
}

function fieldsOf({ event }: CycleWrite): readonly string[] {
  if (event?.kind !== "modified" || event.previous === undefined) return [];
  const changed = changedFields(comparableObject(event.previous), comparableObject(event.object));
  return changed.map(({ path }) => path);
}
