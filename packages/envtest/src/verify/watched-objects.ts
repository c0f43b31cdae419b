import type { ApiServer, StoredWrite, StoreEvent } from "@kubescaffold/apiserver";
import { type GroupResource, groupResourceToString, gvkOf } from "@kubescaffold/k8s";
import type { ObjectMeta } from "@kubescaffold/k8s/meta/v1";

import { comparableName, comparableObject } from "../oracles/comparable-object.ts";
import type { RestState } from "../oracles/compare-states.ts";
import { isRecordOfWork } from "./operator-requests.ts";
import type { SecretValues } from "./secret-values.ts";

/** The objects that an operator and a user have written, as oracles compare them. */
export class WatchedObjects {
  readonly #server: ApiServer;
  readonly #secrets: SecretValues;
  readonly #written = new Set<string>();
  readonly #live = new Map<string, StoreEvent>();
  #deleted: string[] = [];
  readonly #unobserve: () => void;

  constructor(server: ApiServer, secrets: SecretValues) {
    this.#server = server;
    this.#secrets = secrets;
    this.#unobserve = server.context.objects.observe(undefined, (event) => this.#note(event));
  }

  /** Adds the objects of a write of the operator or the user to those that are compared. */
  add({ changes, group, resource }: Pick<StoredWrite, "changes" | "group" | "resource">): void {
    if (isRecordOfWork({ group, resource })) return;
    for (const { object, change } of changes) {
      const key = keyOf({ group, resource }, object.metadata);
      this.#written.add(key);
      // The store has reported the deletion of an object that was no part of the comparison before.
      if (change === "deleted") this.#deleted.push(nameOf({ group, resource }, object.metadata));
    }
  }

  /** Returns the present state. */
  state(): RestState {
    const uids = new Map([...this.#live.values()].map(({ object }) => [String(object.metadata.uid), object]));
    const generatedNames = new Map(
      [...this.#live.values()]
        .map(({ object: { metadata } }) => [metadata.name ?? "", comparableName(metadata)] as const)
        .filter(([name, comparable]) => name !== comparable),
    );
    const catalog = this.#server.context.resources;
    const entries = [...this.#written].flatMap((key) => {
      const event = this.#live.get(key);
      if (event === undefined) return [];
      const { object, groupResource } = event;
      const gvk = gvkOf(object);
      const comparable = comparableObject(object, {
        isCustom: catalog.preferred(gvk)?.isCustom === true,
        schema: catalog.schemaOf(gvk),
        describeUid: (uid) => {
          const found = uids.get(uid);
          return found === undefined ? undefined : `${found.kind} ${comparableName(found.metadata)}`;
        },
        generatedNames,
        hideSecret: this.#secrets.hide,
      });
      return [[nameOf(groupResource, object.metadata), comparable] as const];
    });
    return statesByName(entries);
  }

  /** Returns the objects of the operator, and Pods, that were deleted since the last call. */
  takeDeletions(): readonly string[] {
    const deleted = this.#deleted;
    this.#deleted = [];
    return [...new Set(deleted)].sort();
  }

  /** Ends the observation. */
  close(): void {
    this.#unobserve();
  }

  #note(event: StoreEvent): void {
    const { groupResource, object, kind } = event;
    if (groupResource.resource === "secrets") this.#secrets.add(object);
    const key = keyOf(groupResource, object.metadata);
    if (kind === "deleted") {
      this.#live.delete(key);
      const isPod = groupResource.resource === "pods" && groupResource.group === "";
      if (isPod || this.#written.has(key)) this.#deleted.push(nameOf(groupResource, object.metadata));
    } else this.#live.set(key, event);
  }
}

function nameOf(groupResource: GroupResource, metadata: ObjectMeta): string {
  const name = comparableName(metadata);
  const { namespace } = metadata;
  return `${groupResourceToString(groupResource)} ${namespace === undefined || namespace === "" ? name : `${namespace}/${name}`}`;
}

function keyOf(
  groupResource: GroupResource,
  { namespace = "", name = "" }: { readonly namespace?: string; readonly name?: string },
): string {
  return `${groupResourceToString(groupResource)} ${namespace}/${name}`;
}

// Generated names end at random: the objects of one prefix are numbered in order of their contents.
function statesByName(entries: readonly (readonly [string, unknown])[]): RestState {
  const sorted = entries.toSorted(
    ([leftName, left], [rightName, right]) =>
      leftName.localeCompare(rightName) || JSON.stringify(left).localeCompare(JSON.stringify(right)),
  );
  const counts = new Map<string, number>();
  return new Map(
    sorted.map(([name, value]) => {
      const number = (counts.get(name) ?? 0) + 1;
      counts.set(name, number);
      return [number === 1 ? name : `${name} #${String(number)}`, value] as const;
    }),
  );
}
