import { gvkOf } from "@kubescaffold/k8s";

import type { DashboardMessage, ObjectChange } from "../contract/protocol.ts";
import { clusterEventOf } from "../objects/cluster-event.ts";
import { summaryOf } from "../objects/object-summary.ts";
import type { DevelopmentObjects, DevelopmentResource, StoredObject } from "./development-cluster.ts";

const CHANGES = { added: "created", modified: "changed", deleted: "deleted" } as const;

/**
 * Publishes all objects of an embedded cluster, and each change; returns what ends that.
 *
 * They are read from the store, so that no watch of the dashboard is among the requests, and no fault drops it.
 */
export function followObjects(
  { objects, resources }: DevelopmentObjects,
  publish: (message: DashboardMessage) => void,
): () => void {
  const send = (change: ObjectChange["change"], object: StoredObject): void => {
    if (object.kind === "Event") {
      if (change !== "deleted") publish(clusterEventOf(object));
      return;
    }
    const resource = resources.findByKind(gvkOf(object));
    if (resource === undefined) return;
    const { apiVersion, kind } = object;
    publish({ type: "object", change, object: summaryOf(object, { apiVersion, kind, resource: resource.resource }) });
  };
  for (const { storedAs } of storedResources(resources.all())) {
    for (const object of objects.list(storedAs)) send("existing", object);
  }
  return objects.observe(undefined, ({ kind, object }) => send(CHANGES[kind], object));
}

// Several served resources may be one stored one.
function storedResources(resources: readonly DevelopmentResource[]): readonly DevelopmentResource[] {
  const byTable = new Map(resources.map((each) => [`${each.storedAs.resource}.${each.storedAs.group}`, each]));
  return [...byTable.values()];
}
