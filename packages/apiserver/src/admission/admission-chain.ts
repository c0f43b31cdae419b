import type { AdmissionAttributes, AdmissionPlugin, Reinvocation } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { forbidden, notFound } from "../request/failures.ts";
import { loadOnce } from "../resources/load-once.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Runs all admission plugins over a write, in their order. */
export interface AdmissionChain {
  /** Returns the object as the plugins want it. */
  mutate(attributes: AdmissionAttributes): Promise<ApiObject | undefined>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** Creates a chain of plugins. */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  const mutating = plugins.filter((plugin) => "mutate" in plugin);
  const validating = plugins.filter((plugin) => "validate" in plugin);
  return {
    mutate: async (attributes) => {
      const rounds = new Rounds();
      const object = await mutateOnce(mutating, attributes, rounds);
      if (!rounds.isRequested) return object;
      rounds.isSecond = true;
      return await mutateOnce(mutating, withObject(attributes, object), rounds);
    },
    validate: async (attributes) => {
      for (const plugin of validating) {
        const checking = plugin.validate?.(attributes);
        if (checking !== undefined) await checking;
      }
    },
  };
}

async function mutateOnce(
  plugins: readonly AdmissionPlugin[],
  attributes: AdmissionAttributes,
  rounds: Rounds,
): Promise<ApiObject | undefined> {
  let object = attributes.object;
  for (const plugin of plugins) {
    const changed = plugin.mutate?.(withObject(attributes, object), rounds);
    // Most plugins have no part in a write, and need not be awaited.
    if (changed !== undefined) object = (await changed) ?? object;
  }
  return object;
}

class Rounds implements Reinvocation {
  isSecond = false;
  isRequested = false;
  readonly #states = new Map<string, unknown>();

  request(): void {
    this.isRequested = true;
  }

  stateOf<T>(plugin: string, make: () => T): T {
    if (!this.#states.has(plugin)) this.#states.set(plugin, make());
    return this.#states.get(plugin) as T;
  }
}

function withObject(attributes: AdmissionAttributes, object: ApiObject | undefined): AdmissionAttributes {
  return object === attributes.object ? attributes : { ...attributes, object };
}

/** Returns a factory of a plugin that is loaded with its first write, since few clusters run it. */
export function lazyPlugin(
  name: string,
  load: () => Promise<(context: ServerContext) => AdmissionPlugin>,
): (context: ServerContext) => AdmissionPlugin {
  return lazyPlugins(name, async () => [await load()]);
}

/** Returns a factory of one plugin that runs others in their order, which are loaded with the first write. */
export function lazyPlugins(
  name: string,
  load: () => Promise<readonly ((context: ServerContext) => AdmissionPlugin)[]>,
): (context: ServerContext) => AdmissionPlugin {
  return (context) => {
    const chain = loadOnce(async () => createAdmissionChain((await load()).map((create) => create(context))));
    return {
      name,
      mutate: async (attributes) => await (await chain()).mutate(attributes),
      validate: async (attributes) => await (await chain()).validate(attributes),
    };
  };
}

const NAMESPACES = { group: "", resource: "namespaces" } as const;
const IMMORTAL: ReadonlySet<string> = new Set(["default", "kube-system", "kube-public"]);

// Reviews of one's own rights are answered in any namespace, present or not.
const REVIEWS: ReadonlySet<string> = new Set(["localsubjectaccessreviews"]);

/** Creates the plugin that rejects objects in missing or terminating namespaces, and the deletion of the initial namespaces. */
export function createNamespaceLifecycle({ objects }: Pick<ServerContext, "objects">): AdmissionPlugin {
  return {
    name: "NamespaceLifecycle",
    mutate: (attributes) => {
      checkImmortal(attributes);
      if (attributes.isNamespaced && attributes.operation === "CREATE" && !REVIEWS.has(attributes.resource.resource)) {
        const namespace = objects.get(NAMESPACES, { namespace: "", name: attributes.namespace });
        if (namespace === undefined) {
          throw notFound({ groupResource: NAMESPACES, name: attributes.namespace });
        }
        if (namespace.metadata.deletionTimestamp !== undefined) {
          throw terminating(attributes);
        }
      }
      return undefined;
    },
  };
}

function checkImmortal({ operation, resource, name, subresource }: AdmissionAttributes): void {
  const isNamespace = resource.group === "" && resource.resource === "namespaces" && subresource === "";
  if (operation === "DELETE" && isNamespace && IMMORTAL.has(name)) {
    throw forbidden({ groupResource: NAMESPACES, name }, "this namespace may not be deleted");
  }
}

function terminating({ resource, name, namespace }: AdmissionAttributes): Error {
  return forbidden(
    { groupResource: resource, name },
    `unable to create new content in namespace ${namespace} because it is being terminated`,
    [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ],
  );
}
