import type { ApiServer, StoredWrite } from "@kubescaffold/apiserver";
import { groupResourceToString, gvkOf, ignoreNotFound, isAlreadyExists } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import { type LiveClient, type ObjectKey, patch } from "@kubescaffold/runtime";

import { retryWhileUnserved } from "../webhooks/retry-while-unserved.ts";
import type { FieldChange, Step } from "./schedule.ts";

// A process that was killed serves its webhooks again when the next one has started.
const UNSERVED = { timeoutMs: 30_000 };

/** The parts of a write that tell which objects are compared. */
type WrittenSample = Pick<StoredWrite, "changes" | "group" | "resource">;

/** The objects that a user creates, changes, and deletes. */
export class SampleObjects {
  readonly #client: LiveClient;
  readonly #server: ApiServer;
  readonly #originals: readonly KubernetesObject[];
  readonly #created: readonly KubernetesObject[];

  constructor(
    client: LiveClient,
    server: ApiServer,
    { samples, changes }: { readonly samples: readonly KubernetesObject[]; readonly changes: readonly FieldChange[] },
  ) {
    this.#client = client;
    this.#server = server;
    this.#originals = samples.map((sample) => this.#inNamespace(sample));
    this.#created = this.#originals.map((sample, index) =>
      changes
        .filter((change) => change.sample === index)
        .reduce((object, { path, value }) => withField(object, path, value), sample),
    );
  }

  /** Returns the watches that an operator of the samples opens: of the custom resources among them, or of all of them if there are none. */
  watchesOf(
    user: string,
  ): readonly { readonly verb: "watch"; readonly group: string; readonly resource: string; readonly user: string }[] {
    const types = this.#originals.flatMap((sample) => this.#typeOf(sample) ?? []);
    const custom = types.filter(({ isCustom }) => isCustom);
    const watches = (custom.length === 0 ? types : custom).map(
      ({ group, resource }) => ({ verb: "watch", group, resource, user }) as const,
    );
    return watches.filter(
      (watch, index) =>
        watches.findIndex(({ group, resource }) => group === watch.group && resource === watch.resource) === index,
    );
  }

  /** Takes a step. Returns the objects that it has written. Fails: `StatusError` when the server refuses one. */
  async apply(step: Step): Promise<readonly WrittenSample[]> {
    if (step.kind === "delete") {
      for (const sample of this.#created.toReversed()) {
        await retryWhileUnserved(async () => await ignoreNotFound(this.#client.delete(sample)), UNSERVED);
      }
      return [];
    }
    if (step.kind === "change") {
      const { sample: index, path, value } = step.change;
      const sample = this.#originals[index];
      if (sample === undefined) return [];
      const change = step.isBack ? revertingPatch(sample, path) : nested(path, value);
      const body = patch.raw("application/merge-patch+json", change);
      await retryWhileUnserved(async () => await this.#client.patch(sample, body), UNSERVED);
      return [];
    }
    if (step.kind === "unobserved-change") {
      for (const isBack of [false, true]) await this.apply({ kind: "change", change: step.change, isBack });
      return [];
    }
    if (step.kind === "unobserved-recreation") {
      await this.apply({ kind: "delete" });
      // A finalizer keeps them until the operator has observed the deletion.
      if ((await this.read()).length > 0) return [];
    }
    return await this.#create();
  }

  async #create(): Promise<readonly WrittenSample[]> {
    const written: WrittenSample[] = [];
    for (const sample of this.#created) {
      const create = async (attempt: number): Promise<KubernetesObject> => await this.#createOne(sample, attempt);
      const object = await retryWhileUnserved(create, UNSERVED);
      const type = this.#typeOf(sample);
      if (type === undefined) continue;
      written.push({
        group: type.storedAs.group,
        resource: type.storedAs.resource,
        changes: [{ change: "created", object: object as never }],
      });
    }
    return written;
  }

  async #createOne(sample: KubernetesObject, attempt: number): Promise<KubernetesObject> {
    try {
      return await this.#client.create(sample);
    } catch (error) {
      // The attempt before was stored, and its answer was not converted.
      if (attempt === 1 || !isAlreadyExists(error)) throw error;
      return await this.#client.get(gvkOf(sample), keyOf(sample));
    }
  }

  /** Reads the samples that exist. */
  async read(): Promise<readonly { readonly name: string; readonly object: KubernetesObject }[]> {
    const found = await Promise.all(
      this.#originals.map(async (sample) => {
        const get = async (): Promise<KubernetesObject | undefined> =>
          await ignoreNotFound(this.#client.get(gvkOf(sample), keyOf(sample)));
        const object = await retryWhileUnserved(get, UNSERVED);
        return object === undefined ? [] : [{ name: this.#nameOf(sample), object }];
      }),
    );
    return found.flat();
  }

  #nameOf(sample: KubernetesObject): string {
    const { name = "", namespace } = sample.metadata;
    const type = this.#typeOf(sample);
    return `${type === undefined ? sample.kind : groupResourceToString(type)} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  }

  #typeOf(sample: KubernetesObject) {
    return this.#server.context.resources.findByKind(gvkOf(sample));
  }

  #inNamespace(sample: KubernetesObject): KubernetesObject {
    const { namespace } = sample.metadata;
    if (this.#typeOf(sample)?.isNamespaced !== true || namespace !== undefined) return sample;
    return { ...sample, metadata: { ...sample.metadata, namespace: "default" } };
  }
}

function keyOf({ metadata: { name = "", namespace } }: KubernetesObject): ObjectKey {
  return { name, ...(namespace === undefined ? {} : { namespace }) };
}

/** Returns the merge patch that reverts a change of a field: where an object around it did not exist, that object goes, too. */
export function revertingPatch(original: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  const isMissing = (levels: number): boolean => fieldOf(original, path.slice(0, levels)) === undefined;
  const levels = path.findIndex((_, index) => isMissing(index + 1)) + 1;
  return levels === 0 ? nested(path, fieldOf(original, path)) : nested(path.slice(0, levels), null);
}

function nested(path: readonly string[], value: unknown): Readonly<Record<string, unknown>> {
  const [first = "", ...others] = path;
  return { [first]: others.length === 0 ? value : nested(others, value) };
}

/** Returns the value of a field; undefined if there is none. */
export function fieldOf(object: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), object);
}

function withField<T extends object>(object: T, [first, ...others]: readonly string[], value: unknown): T {
  if (first === undefined) return object;
  const inner = (object as Readonly<Record<string, unknown>>)[first];
  const changed = others.length === 0 ? value : withField(isRecord(inner) ? inner : {}, others, value);
  return { ...object, [first]: changed };
}
