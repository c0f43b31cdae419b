import {
  type ApiObject,
  type ServerContext,
  storedResources,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import type { GroupResource } from "@kubescaffold/k8s";

/** Names a stored object whatever its version. */
export interface GraphNode {
  readonly groupResource: GroupResource;
  readonly namespace: string;
  readonly name: string;
}

/** True for an object that has owners or is being deleted: only these may have to be collected. */
export function concernsCollector({ metadata }: ApiObject): boolean {
  return (metadata.ownerReferences ?? []).length > 0 || metadata.deletionTimestamp !== undefined;
}

/** Knows which objects name which owners, kept up to date from the store's changes. */
export class OwnershipGraph {
  readonly #dependents = new Map<string, Map<string, GraphNode>>();

  /** Reads what is stored now, and returns the objects that may have to be collected. */
  load(context: ServerContext): readonly GraphNode[] {
    this.#dependents.clear();
    return storedResources(context, ["list", "delete"]).flatMap((resource) =>
      context.objects
        .list(resource.storedAs)
        .filter((object) => concernsCollector(object))
        .map((object) => {
          const node = nodeOf(resource.storedAs, object);
          this.#link(node, object);
          return node;
        }),
    );
  }

  /** Takes one change in. */
  apply(event: StoreEvent): GraphNode {
    const node = nodeOf(event.groupResource, event.object);
    if (event.previous !== undefined) this.#unlink(node, event.previous);
    if (event.kind !== "deleted") this.#link(node, event.object);
    return node;
  }

  /** Returns the objects that name an owner of this uid. */
  dependentsOf(ownerUid: string): readonly GraphNode[] {
    return [...(this.#dependents.get(ownerUid)?.values() ?? [])];
  }

  #link(node: GraphNode, object: ApiObject): void {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(uid) ?? new Map<string, GraphNode>();
      this.#dependents.set(uid, known.set(nodeKey(node), node));
    }
  }

  #unlink(node: GraphNode, object: ApiObject): void {
    for (const { uid } of object.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(uid);
      known?.delete(nodeKey(node));
      if (known?.size === 0) this.#dependents.delete(uid);
    }
  }
}

/** Returns the node of an object of a resource. */
export function nodeOf(groupResource: GroupResource, object: ApiObject): GraphNode {
  return { groupResource, namespace: object.metadata.namespace ?? "", name: object.metadata.name ?? "" };
}

/** Prints a node as one string, {@link parseNodeKey} reads it. */
export function nodeKey(node: GraphNode): string {
  return [node.groupResource.group, node.groupResource.resource, node.namespace, node.name].join("|");
}

/** Reads what {@link nodeKey} printed. */
export function parseNodeKey(key: string): GraphNode {
  const [group = "", resource = "", namespace = "", name = ""] = key.split("|");
  return { groupResource: { group, resource }, namespace, name };
}
