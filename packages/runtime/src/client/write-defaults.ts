import type { Client, SubResourceClient } from "./client.ts";
import { delegatingClient } from "./delegating-client.ts";
import type { ApplyOptions, DeleteOptions, WriteOptions } from "./options.ts";

/** Options that a wrapper adds to writing calls. */
export interface WriteDefaults {
  readonly write: (options: WriteOptions | undefined) => WriteOptions;
  readonly apply: (options: ApplyOptions | undefined) => ApplyOptions;
  readonly remove: (options: DeleteOptions | undefined) => DeleteOptions;
}

/** Returns a client whose writing calls, those on subresources included, have options added. */
export function withWriteDefaults<C extends Client>(client: C, { write, apply, remove }: WriteDefaults): C {
  return delegatingClient(client, {
    create: (object, options) => client.create(object, { ...options, ...write(options) }),
    update: (object, options) => client.update(object, { ...options, ...write(options) }),
    patch: (object, patch, options) => client.patch(object, patch, { ...options, ...write(options) }),
    apply: (configuration, options) => client.apply(configuration, { ...options, ...apply(options) }),
    delete: (object, options) => client.delete(object, { ...options, ...remove(options) }),
    deleteAllOf: (kind, options) => client.deleteAllOf(kind, { ...options, ...remove(options) }),
    subResource: (name) => subResourceDefaults(client.subResource(name), { write, apply, remove }),
  });
}

function subResourceDefaults(client: SubResourceClient, { write, apply }: WriteDefaults): SubResourceClient {
  return {
    get: (object, options) => client.get(object, options),
    create: (object, body, options) => client.create(object, body, { ...options, ...write(options) }),
    update: (object, options) => client.update(object, { ...options, ...write(options) }),
    patch: (object, patch, options) => client.patch(object, patch, { ...options, ...write(options) }),
    apply: (configuration, options) => client.apply(configuration, { ...options, ...apply(options) }),
  };
}
