import { isConflict, isNotFound } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import type { LiveClient } from "@kubescaffold/runtime";

import { FLEET, type Fleet, memberNames, NAMESPACE, newFleet } from "./fleet.ts";

const FLEETS = 6;
const LARGEST_SIZE = 4;

/** A user of the API server without faults, who changes fleets and their ConfigMaps. */
export class UserActions {
  /** The fleets that must exist in the end. */
  readonly desired: Map<string, Fleet["spec"]> = new Map();
  /** The names of all fleets that ever existed. */
  readonly names: Set<string> = new Set();
  count = 0;
  readonly #client: LiveClient;
  readonly #random: () => number;

  constructor(client: LiveClient, random: () => number) {
    this.#client = client;
    this.#random = random;
  }

  /** Performs one random action. */
  async act(): Promise<void> {
    this.count += 1;
    const name = `fleet-${String(this.#integer(FLEETS))}`;
    const action = this.#random();
    try {
      if (!this.desired.has(name)) await this.#create(name);
      else if (action < 0.15) await this.#delete(name);
      else if (action < 0.7) await this.#change(name);
      else await this.#disturb(name);
    } catch (error) {
      // The controller writes the same objects.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  /** Changes all fleets. */
  async changeAll(): Promise<void> {
    for (const name of this.desired.keys()) {
      while (!(await this.#changed(name))) this.count += 1;
    }
  }

  async #changed(name: string): Promise<boolean> {
    try {
      await this.#change(name);
      return true;
    } catch (error) {
      if (isConflict(error)) return false;
      throw error;
    }
  }

  async #create(name: string): Promise<void> {
    this.names.add(name);
    const spec = this.#spec();
    try {
      await this.#client.create(newFleet(name, spec));
      this.desired.set(name, spec);
    } catch (error) {
      // The finalizer of its predecessor may still be there.
      if (!(error instanceof Error) || !error.message.includes("exists")) throw error;
    }
  }

  async #delete(name: string): Promise<void> {
    await this.#client.delete(newFleet(name, this.#spec()));
    this.desired.delete(name);
  }

  async #change(name: string): Promise<void> {
    const spec = this.#spec();
    const fleet = await this.#client.get(FLEET, { namespace: NAMESPACE, name });
    await this.#client.update({ ...fleet, spec });
    this.desired.set(name, spec);
  }

  // Deletes or changes a ConfigMap that the controller owns.
  async #disturb(name: string): Promise<void> {
    const fleet = await this.#client.get(FLEET, { namespace: NAMESPACE, name });
    const members = memberNames(fleet);
    const member = members[this.#integer(members.length)];
    if (member === undefined) return;
    const current = await this.#client.get(ConfigMap, { namespace: NAMESPACE, name: member });
    if (this.#random() < 0.5) await this.#client.delete(current);
    else await this.#client.update({ ...current, data: { value: "disturbed" } });
  }

  #spec(): Fleet["spec"] {
    return { size: this.#integer(LARGEST_SIZE + 1), value: `value-${String(this.#integer(1000))}` };
  }

  #integer(below: number): number {
    return Math.floor(this.#random() * below);
  }
}
