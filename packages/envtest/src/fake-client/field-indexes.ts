import {
  type DeepReadonly,
  gvkToString,
  type GroupVersionKind,
  parseFieldSelector,
  formatFieldSelector,
} from "@kubescaffold/k8s";
import type { KubernetesObject, ListOf, ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import {
  CacheIndexConflictError,
  CacheListOptionError,
  interceptedClient,
  type KindRef,
  type ListOptions,
  type LiveClient,
  type WatchingClient,
} from "@kubescaffold/runtime";

/** An index of a kind by a field; see {@link fieldIndex}. */
export interface FieldIndex<T extends KubernetesObject = never> {
  /** The kind of the objects. */
  readonly kind: GroupVersionKind;
  /** The name of the field in selectors. */
  readonly field: string;
  /** Returns the values that the index finds an object by. */
  readonly valuesOf: (object: DeepReadonly<T>) => readonly string[];
}

/**
 * Creates an index of a kind by a field, for the options of a fake client.
 *
 * controller-runtime: pkg/client/fake.ClientBuilder.WithIndex
 *
 * @example
 * const client = createFakeClient({ indexes: [fieldIndex(Pod, "spec.nodeName", (pod) => [pod.spec?.nodeName ?? ""])] });
 */
export function fieldIndex<T extends KubernetesObject>(
  kind: KindRef<T>,
  field: string,
  valuesOf: (object: DeepReadonly<T>) => readonly string[],
): FieldIndex<T> {
  return { kind, field, valuesOf };
}

type ValuesOf = (object: ReadonlyObject) => readonly string[];

/** Selects listed objects by indexes, which a server does not have. */
export class FieldIndexes {
  readonly #byKind = new Map<string, Map<string, ValuesOf>>();

  constructor(indexes: readonly FieldIndex[]) {
    indexes.forEach((index) => this.add(index));
  }

  /** Adds an index. Fails: `CacheIndexConflictError` when the field is indexed already. */
  add<T extends KubernetesObject>({ kind, field, valuesOf }: FieldIndex<T>): void {
    const indexes = this.#byKind.get(gvkToString(kind)) ?? new Map<string, ValuesOf>();
    if (indexes.has(field)) {
      throw new CacheIndexConflictError(field, "exists already");
    }
    // Only objects of the kind are passed to the function.
    this.#byKind.set(gvkToString(kind), indexes.set(field, valuesOf as ValuesOf));
  }

  /** Returns a client whose lists select by the indexes; the server selects by all other fields. */
  serve(client: LiveClient): LiveClient {
    return interceptedClient(client, {
      client: (server) => ({
        list: async (kind: KindRef<KubernetesObject>, options?: ListOptions) => {
          const { conditions, others } = this.#conditions(kind, options ?? {});
          const list = await (conditions.length === 0
            ? server.list(kind, options)
            : listSelected(server, kind, { conditions, options: others }));
          // The options determine the type of the items.
          return list as ListOf<never>;
        },
      }),
    });
  }

  #conditions(kind: GroupVersionKind, { fields = {}, fieldSelector = "", ...options }: ListOptions): Selected {
    const indexes = this.#byKind.get(gvkToString(kind));
    const requirements = [
      ...Object.entries(fields).map(([field, value]) => ({ field, operator: "=" as const, value })),
      ...parseFieldSelector(fieldSelector),
    ];
    const indexed = requirements.filter(({ field }) => indexes?.has(field) === true);
    const inexact = indexed.find(({ operator }) => operator !== "=");
    if (inexact !== undefined) {
      throw new CacheListOptionError(
        `by the field selector ${JSON.stringify(formatFieldSelector([inexact]))}, which is not an exact match`,
      );
    }
    const rest = formatFieldSelector(requirements.filter((requirement) => !indexed.includes(requirement)));
    return {
      conditions: indexed.map(({ field, value }) => ({ valuesOf: indexes?.get(field) as ValuesOf, value })),
      others: { ...options, ...(rest === "" ? {} : { fieldSelector: rest }) },
    };
  }
}

interface Condition {
  readonly valuesOf: ValuesOf;
  readonly value: string;
}

interface Selected {
  readonly conditions: readonly Condition[];
  /** The options of the list without what the indexes select by. */
  readonly others: ListOptions;
}

// Pages are cut after the selection, as a cache cuts them.
async function listSelected(
  client: WatchingClient,
  kind: KindRef<KubernetesObject>,
  selection: { readonly conditions: readonly Condition[]; readonly options: ListOptions },
): Promise<ListOf<ReadonlyObject>> {
  const { limit = 0, metadataOnly = false, continue: token = "", ...options } = selection.options;
  if (token !== "") {
    throw new CacheListOptionError("with a continue token");
  }
  const whole = await client.list(kind, options);
  const selected = new Set(
    whole.items
      .filter((item) => selection.conditions.every(({ valuesOf, value }) => valuesOf(item).includes(value)))
      .map(({ metadata }) => metadata.uid),
  );
  const list = metadataOnly ? await client.list(kind, { ...options, ...atVersionOf(whole), metadataOnly }) : whole;
  const items = list.items.filter(({ metadata }) => selected.has(metadata.uid));
  return limit > 0 && items.length > limit
    ? { ...list, metadata: { ...list.metadata, continue: "continue-not-supported" }, items: items.slice(0, limit) }
    : { ...list, items };
}

function atVersionOf({ metadata }: ListOf<ReadonlyObject>): ListOptions {
  const { resourceVersion } = metadata;
  return resourceVersion === undefined ? {} : { resourceVersion, resourceVersionMatch: "Exact" };
}
