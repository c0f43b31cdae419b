import type { Client, WatchingClient } from "./client.ts";

/** The calls of a client that a wrapper answers itself. */
export type ClientOverrides = Partial<Omit<WatchingClient, "restMapper">>;

/** Returns a client that answers some calls itself and hands all others to another client. */
export function delegatingClient<C extends Client>(client: C, overrides: ClientOverrides): C {
  const inner: Client & Partial<Pick<WatchingClient, "watch">> = client;
  const outer: Client = {
    restMapper: inner.restMapper,
    get: (kind, key, options) => inner.get(kind, key, options),
    list: (kind, options) => inner.list(kind, options),
    create: (object, options) => inner.create(object, options),
    update: (object, options) => inner.update(object, options),
    patch: (object, patch, options) => inner.patch(object, patch, options),
    apply: (configuration, options) => inner.apply(configuration, options),
    delete: (object, options) => inner.delete(object, options),
    deleteAllOf: (kind, options) => inner.deleteAllOf(kind, options),
    status: () => outer.subResource("status"),
    subResource: (name) => inner.subResource(name),
    isNamespaced: (kind) => inner.isNamespaced(kind),
    ...(inner.watch === undefined ? {} : { watch: inner.watch.bind(inner) }),
    ...overrides,
  };
  // A watching client in gives a watching client out, for its watch was taken over.
  return outer as C;
}
