import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

import type { ApplyConfiguration } from "./client.ts";
import type {
  ApplyOptions,
  CreateOptions,
  DeleteAllOfOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PatchOptions,
  UpdateOptions,
  WatchOptions,
} from "./options.ts";
import type { Patch } from "./patch.ts";
import type { WatchEvent } from "./watch-event.ts";

/** Reads and writes the objects of one resource in one scope, in the manner of client-go's typed and dynamic clients. */
export interface ResourceInterface<T extends KubernetesObject> {
  get(name: string, options?: GetOptions): Promise<T>;
  list(options?: ListOptions): Promise<ListOf<T>>;
  watch(options?: WatchOptions): AsyncIterable<WatchEvent<T>>;
  create(object: T, options?: CreateOptions): Promise<T>;
  update(object: T, options?: UpdateOptions): Promise<T>;
  updateStatus(object: T, options?: UpdateOptions): Promise<T>;
  patch(name: string, patch: Patch, options?: PatchOptions): Promise<T>;
  apply(name: string, configuration: T | ApplyConfiguration<T>, options?: ApplyOptions): Promise<T>;
  delete(name: string, options?: DeleteOptions): Promise<void>;
  deleteCollection(options?: DeleteAllOfOptions): Promise<void>;
}

/** A resource of the cluster, of which `namespace` gives the part in one namespace. */
export interface NamespaceableResource<T extends KubernetesObject> extends ResourceInterface<T> {
  namespace(namespace: string): ResourceInterface<T>;
}
