import { setTimeout as delay } from "node:timers/promises";

import type { OperatorView } from "./operator-view.ts";
import type { LatePerturbation } from "./schedule.ts";

/** Holds the events of a resource while the samples are created. */
export class LateEvents {
  readonly #view: Pick<OperatorView, "hold" | "catchUp">;
  readonly #perturbation: LatePerturbation;
  readonly #isOfSamples: boolean;
  #isReached = false;
  #isOver = false;

  /** `isOfSamples`: the operator has to observe that the samples exist, so their events are held from its first write on. */
  constructor(
    view: Pick<OperatorView, "hold" | "catchUp">,
    { perturbation, isOfSamples }: { readonly perturbation: LatePerturbation; readonly isOfSamples: boolean },
  ) {
    this.#view = view;
    this.#perturbation = perturbation;
    this.#isOfSamples = isOfSamples;
  }

  /** Whether events were held. */
  get isReached(): boolean {
    return this.#isReached;
  }

  /** Follows the moment before the samples are created. */
  start(): void {
    if (!this.#isOfSamples) this.#hold();
  }

  /** Follows a write of the operator. */
  written(): void {
    if (this.#isOfSamples) this.#hold();
  }

  /** Sends the events when the time is over. */
  async send(ms: number): Promise<void> {
    await delay(ms);
    this.#isOver = true;
    if (this.#isReached) this.#view.catchUp(this.#perturbation);
  }

  #hold(): void {
    if (this.#isReached || this.#isOver) return;
    this.#isReached = true;
    this.#view.hold(this.#perturbation);
  }
}
