import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

import { callSite, fromCallSite, streamFromCallSite } from "../observe/call-site.ts";
import type { Client, KindRef, ObjectKey, SubResourceClient, WatchingClient } from "./client.ts";
import { NamespaceMismatchError } from "./errors.ts";
import { gvkOnly, kindOf } from "./object-caller.ts";
import type { ListOptions } from "./options.ts";
import { delegatingClient } from "./wrapped-clients.ts";

/**
 * Returns a client that is restricted to one namespace: it sets the namespace; cluster-scoped objects are unaffected.
 *
 * Fails: {@link NamespaceMismatchError} when a call has another namespace; lists are always restricted to the namespace.
 *
 * controller-runtime: pkg/client.NewNamespacedClient
 */
export function namespacedClient<C extends Client>(client: C, namespace: string): C {
  const scope = new NamespaceScope(client, namespace);
  const inner: Client & Partial<Pick<WatchingClient, "watch">> = client;
  return delegatingClient(client, {
    get: (kind, key, options) => fromCallSite(async () => client.get(kind, await scope.key(kind, key), options)),
    // Only the namespace is added, so that the type of the result stays.
    list: async <T extends KubernetesObject, O extends ListOptions>(kind: KindRef<T>, options?: O) =>
      fromCallSite(async () => client.list(kind, { ...options, ...(await scope.selection(kind)) } as O)),
    create: (object, options) => fromCallSite(async () => client.create(await scope.object(object), options)),
    update: (object, options) => fromCallSite(async () => client.update(await scope.object(object), options)),
    patch: (object, patch, options) =>
      fromCallSite(async () => client.patch(await scope.object(object), patch, options)),
    apply: (configuration, options) =>
      fromCallSite(async () => client.apply(await scope.object(configuration), options)),
    delete: (object, options) => fromCallSite(async () => client.delete(await scope.object(object), options)),
    deleteAllOf: (kind, options) =>
      fromCallSite(async () => client.deleteAllOf(kind, { ...options, ...(await scope.selection(kind)) })),
    subResource: (name) => namespacedSubResource(client.subResource(name), scope),
    ...(inner.watch === undefined
      ? {}
      : { watch: (kind, options) => streamFromCallSite(scopedWatch({ inner, scope, kind, options }), callSite()) }),
  });
}

type WatchArguments = Parameters<WatchingClient["watch"]>;

async function* scopedWatch({
  inner,
  scope,
  kind,
  options,
}: {
  readonly inner: Client & Partial<Pick<WatchingClient, "watch">>;
  readonly scope: NamespaceScope;
  readonly kind: WatchArguments[0];
  readonly options: WatchArguments[1];
}): AsyncGenerator<never, void, undefined> {
  const events = inner.watch?.(kind, { ...options, ...(await scope.selection(kind)) }) ?? [];
  // The caller's signature determines the type of the objects.
  yield* events as AsyncIterable<never>;
}

class NamespaceScope {
  readonly #client: Client;
  readonly #namespace: string;

  constructor(client: Client, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  async key(kind: GroupVersionKind, key: ObjectKey): Promise<ObjectKey> {
    const namespace = await this.#resolve(kind, { wanted: key.namespace ?? "", object: `${kind.kind} ${key.name}` });
    return namespace === undefined ? key : { ...key, namespace };
  }

  async selection(kind: GroupVersionKind): Promise<{ readonly namespace?: string }> {
    return (await this.#client.isNamespaced(gvkOnly(kind))) ? { namespace: this.#namespace } : {};
  }

  async object<T extends ReadonlyObject>(object: T): Promise<T> {
    const { namespace: wanted = "", name = "" } = object.metadata ?? {};
    const kind = kindOf(object, "use");
    const namespace = await this.#resolve(kind, { wanted, object: `${object.kind} ${name}` });
    return namespace === undefined ? object : { ...object, metadata: { ...object.metadata, namespace } };
  }

  async #resolve(
    kind: GroupVersionKind,
    { wanted, object }: { readonly wanted: string; readonly object: string },
  ): Promise<string | undefined> {
    if (!(await this.#client.isNamespaced(gvkOnly(kind)))) {
      return undefined;
    }
    if (wanted !== "" && wanted !== this.#namespace) {
      throw new NamespaceMismatchError(object, { wanted, allowed: this.#namespace });
    }
    return this.#namespace;
  }
}

function namespacedSubResource(client: SubResourceClient, scope: NamespaceScope): SubResourceClient {
  return {
    get: (object, options) => fromCallSite(async () => client.get(await scope.object(object), options)),
    create: (object, body, options) =>
      fromCallSite(async () => client.create(await scope.object(object), body, options)),
    update: (object, options) => fromCallSite(async () => client.update(await scope.object(object), options)),
    patch: (object, patch, options) =>
      fromCallSite(async () => client.patch(await scope.object(object), patch, options)),
    apply: (configuration, options) =>
      fromCallSite(async () => client.apply(await scope.object(configuration), options)),
  };
}
