import { RECURSIVE_LEVELS } from "@kubescaffold/k8s";

/**
 * Runs a function that calls itself for the parts of a value, through {@link DeepCalls.call}, also for more levels than fit on the stack.
 *
 * The function runs with calls of itself for some hundred levels. Below, its calls return a placeholder at first; once their results are known, the function
 * runs again from the place where the levels were counted last. So it must have no effects but its result, and make its calls in the same order each time.
 *
 * Guarantees: the function runs at most twice for a part of the value, and once more each time that a result makes it go on where the placeholder made it end.
 * The first error in the order of the calls is thrown.
 */
export function runDeep<T, R>(task: T, { run, placeholder }: DeepFunction<T, R>): R {
  const calls = new DeepCalls(run, placeholder);
  const whole = calls.attempt(task, NONE);
  if (whole.kind === "result") return whole.result;
  const open: Block<T, R>[] = [{ task, parts: whole.deferred, results: [] }];
  for (;;) {
    const top = open.at(-1) as Block<T, R>;
    const isComplete = top.results.length === top.parts.length;
    const next = isComplete ? top.task : (top.parts[top.results.length] as T);
    const attempt = calls.attempt(next, isComplete ? top.results : NONE);
    if (attempt.kind === "deferred") {
      if (isComplete) for (const part of attempt.deferred) top.parts.push(part);
      else open.push({ task: next, parts: attempt.deferred, results: [] });
      continue;
    }
    if (isComplete) open.pop();
    const above = open.at(-1);
    if (above === undefined) return attempt.result;
    above.results.push(attempt.result);
  }
}

const NONE: readonly never[] = [];

/** A function that calls itself for the parts of a value. */
interface DeepFunction<T, R> {
  readonly run: (task: T, calls: DeepCalls<T, R>) => R;
  /** A result that the function accepts from each of its calls. */
  readonly placeholder: R;
}

/** A part of the value, with the levels below it that are walked with calls. */
interface Block<T, R> {
  readonly task: T;
  /** The tasks below these levels, in the order of their calls. */
  readonly parts: T[];
  /** The results of the first of them. */
  readonly results: R[];
}

type Attempt<T, R> =
  | { readonly kind: "result"; readonly result: R }
  | { readonly kind: "deferred"; readonly deferred: T[] };

/** The calls that a function makes of itself. */
export class DeepCalls<T, R> {
  readonly #run: (task: T, calls: DeepCalls<T, R>) => R;
  readonly #placeholder: R;
  #level = 0;
  #postponed: T[] | undefined;
  #known: readonly R[] = NONE;
  #next = 0;

  constructor(run: (task: T, calls: DeepCalls<T, R>) => R, placeholder: R) {
    this.#run = run;
    this.#placeholder = placeholder;
  }

  /** Calls the function for a part of the value that it was called for. */
  call(task: T): R {
    if (this.#level === RECURSIVE_LEVELS) return this.#resultOf(task);
    this.#level += 1;
    const result = this.#run(task, this);
    this.#level -= 1;
    return result;
  }

  #resultOf(task: T): R {
    if (this.#next < this.#known.length) return this.#known[this.#next++] as R;
    (this.#postponed ??= []).push(task);
    return this.#placeholder;
  }

  /** Calls the function, and returns its result, or the tasks whose results it needs beyond the known ones. */
  attempt(task: T, known: readonly R[]): Attempt<T, R> {
    this.#level = 0;
    this.#postponed = undefined;
    this.#known = known;
    this.#next = 0;
    try {
      const result = this.#run(task, this);
      if (this.#postponed === undefined) return { kind: "result", result };
    } catch (error) {
      if (this.#postponed === undefined) throw error;
    }
    return { kind: "deferred", deferred: this.#postponed };
  }
}
