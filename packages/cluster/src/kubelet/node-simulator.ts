import {
  type ControllerIdentity,
  type InProcessController,
  type IpFamily,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound, toTime } from "@kubescaffold/k8s";
import type { Node } from "@kubescaffold/k8s/core/v1";

import { kubeletUser } from "../controllers/kubelet-user.ts";
import { NODES, readStored } from "../controllers/workload/workload-objects.ts";
import { initialStatus, missingLabels, nodeAddresses, readinessOf } from "./node-defaults.ts";

const MERGE = "application/merge-patch+json";

/** Reports every created node as ready, as its kubelet would; the status of a node that has the condition Ready is left to others. */
export function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { families }: { readonly families: readonly IpFamily[] },
): InProcessController {
  return storeController({
    name: self.name,
    context,
    watches: [NODES],
    keysOf: ({ kind, object }) => (kind === "deleted" || isReported(object) ? [] : [object.metadata.name ?? ""]),
    initialKeys: () =>
      (context.objects.list(NODES) as unknown as readonly Node[])
        .filter((node) => !isReported(node))
        .map(({ metadata }) => metadata.name ?? ""),
    work: async (name) => {
      try {
        await report(context, name, families);
      } catch (error) {
        // Gone or changed meanwhile: the change leads here again.
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    },
  });
}

function isReported(node: Node): boolean {
  return readinessOf(node) !== undefined;
}

async function report(context: ServerContext, name: string, families: readonly IpFamily[]): Promise<void> {
  const node = readStored<Node>(context, NODES, { namespace: "", name });
  if (node === undefined || isReported(node)) return;
  const client = context.clientFor(kubeletUser(name));
  const target = { ...NODES, namespace: "", name };
  const labels = missingLabels(node);
  if (Object.keys(labels).length > 0) {
    await client.patch(target, { contentType: MERGE, body: { metadata: { labels } } });
  }
  const status = initialStatus(context.release, node, {
    addresses: freeAddresses(context, families),
    time: toTime(context.clock.now()),
  });
  await client.patch({ ...target, subresource: "status" }, { contentType: MERGE, body: { status } });
}

function freeAddresses({ objects }: ServerContext, families: readonly IpFamily[]): readonly string[] {
  const nodes = objects.list(NODES) as unknown as readonly Node[];
  const used = new Set(nodes.flatMap(({ status }) => (status?.addresses ?? []).map(({ address }) => address)));
  let number = 0;
  while (nodeAddresses(number, families).some((address) => used.has(address))) number += 1;
  return nodeAddresses(number, families);
}
