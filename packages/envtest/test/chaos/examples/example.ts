import { ignoreNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";
import { type KindRef, type LiveClient, type Manager, patch } from "@kubescaffold/runtime";

/** The namespace of the objects of all users. */
export const NAMESPACE = "default";

/** What a user and the checks of an example use: a client without faults, random numbers, and the clock of the manager. */
export interface Surroundings {
  readonly client: LiveClient;
  readonly random: () => number;
  readonly clock: Clock;
}

/** A committed example under chaos: its controller, a user, and the state that must be reached once the faults have ended. */
export interface Example {
  /** The name of the folder. */
  readonly name: string;
  /** Faults that the example is run without. */
  readonly without?: readonly "jumpClock"[];
  /** Registers the controller. */
  readonly setup: (mgr: Manager) => Promise<void>;
  /** Performs one action of a user. */
  readonly act: () => Promise<void>;
  /** Returns the differences between the server and the desired state. */
  readonly violations: () => Promise<readonly string[]>;
  /** Stops what the example has started beside the manager. */
  readonly stop?: () => Promise<void>;
}

/** Creates an example for one seed. */
export type CreateExample = (surroundings: Surroundings) => Example;

/** Objects of a kind by name, which a user creates, changes, and deletes. */
export class DesiredObjects<T extends KubernetesObject> {
  readonly #client: LiveClient;
  readonly #random: () => number;
  readonly #kind: KindRef<T>;
  readonly #create: (name: string) => T;
  readonly #names: readonly string[];
  /** The objects that must exist, as they were written last. */
  readonly objects: Map<string, T> = new Map();

  constructor(
    { client, random }: Surroundings,
    options: { readonly kind: KindRef<T>; readonly names: readonly string[]; readonly create: (name: string) => T },
  ) {
    [this.#client, this.#random] = [client, random];
    [this.#kind, this.#names, this.#create] = [options.kind, options.names, options.create];
  }

  /** Creates an object, deletes it, or writes it with other values. */
  async act(): Promise<void> {
    const name = this.#names[Math.floor(this.#random() * this.#names.length)] ?? "";
    if (this.objects.has(name) && this.#random() < 0.2) await this.#delete(name);
    else await this.#write(name);
  }

  /** Returns the objects on the server by name. */
  async found(): Promise<ReadonlyMap<string, T>> {
    return byName((await this.#client.list(this.#kind)).items);
  }

  // An object that is being deleted cannot be replaced yet.
  async #write(name: string): Promise<void> {
    const wanted = this.#create(name);
    const { namespace = "" } = wanted.metadata;
    const found = await ignoreNotFound(this.#client.get(this.#kind, { name, namespace }));
    if (found?.metadata.deletionTimestamp !== undefined) return;
    if (found === undefined) await this.#client.create(wanted);
    else await ignoreNotFound(this.#client.patch(withValues(found, wanted), patch.mergeFrom(found)));
    this.objects.set(name, wanted);
  }

  async #delete(name: string): Promise<void> {
    const object = this.objects.get(name);
    if (object === undefined) return;
    this.objects.delete(name);
    await ignoreNotFound(this.#client.delete(object));
  }
}

// Keeps what the server and the controller have set.
function withValues<T extends KubernetesObject>(found: T, wanted: T): T {
  const specOf = (object: KubernetesObject): object => (object as { readonly spec?: object }).spec ?? {};
  const { annotations = {} } = wanted.metadata;
  return { ...found, metadata: { ...found.metadata, annotations }, spec: { ...specOf(found), ...specOf(wanted) } };
}

/** Returns objects by name. */
export function byName<T extends KubernetesObject>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.metadata.name ?? "", item]));
}

/** Lists the objects of a kind that should not exist, or do not, or have other values. */
export function differences(
  kind: string,
  found: ReadonlyMap<string, unknown>,
  wanted: ReadonlyMap<string, unknown>,
): readonly string[] {
  const texts = (values: ReadonlyMap<string, unknown>): readonly string[] =>
    [...values].map(([name, value]) => `${kind} ${name}: ${JSON.stringify(value)}`);
  const [actual, expected] = [texts(found), texts(wanted)];
  return [
    ...actual.filter((each) => !expected.includes(each)).map((each) => `unexpected ${each}`),
    ...expected.filter((each) => !actual.includes(each)).map((each) => `missing ${each}`),
  ];
}

/** Returns the values of a map, computed from each entry. */
export function mapValues<T, V>(map: ReadonlyMap<string, T>, valueOf: (value: T) => V): ReadonlyMap<string, V> {
  return new Map([...map].map(([name, value]) => [name, valueOf(value)]));
}
