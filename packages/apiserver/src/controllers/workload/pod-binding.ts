import { newNotFound } from "@kubescaffold/k8s";

import { toTime } from "../../clock/clock.ts";
import type { VirtualResource } from "../../pipeline/virtual-resource.ts";
import { isJsonObject } from "../../request/json.ts";
import { ADMIN } from "../../request/user-info.ts";
import type { ServerContext } from "../../server/server-context.ts";
import { PODS } from "./workload-objects.ts";

/** Answers `pods/binding`: puts a pod onto the node that the binding names. */
export function podBinding(context: ServerContext): VirtualResource {
  return {
    ...PODS,
    subresource: "binding",
    kind: { group: "", version: "v1", kind: "Binding" },
    create: async ({ namespace, name, object, isDryRun }) => {
      const pod = context.objects.get(PODS, { namespace, name });
      if (pod === undefined) throw newNotFound(PODS, name);
      const node = isJsonObject(object["target"]) ? object["target"]["name"] : undefined;
      if (!isDryRun) await bind(context, { namespace, name, node: String(node) });
      return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code: 201 };
    },
  };
}

// The API itself carries a binding out: no user may set the node of a pod by an update.
async function bind(
  context: ServerContext,
  { namespace, name, node }: { readonly namespace: string; readonly name: string; readonly node: string },
): Promise<void> {
  const client = context.clientFor(ADMIN);
  const target = { ...PODS, namespace, name };
  const contentType = "application/merge-patch+json";
  await client.patch(target, { contentType, body: { spec: { nodeName: node } } });
  const scheduled = { type: "PodScheduled", status: "True", lastTransitionTime: toTime(context.clock.now()) };
  await client.patch(
    { ...target, subresource: "status" },
    { contentType, body: { status: { conditions: [scheduled] } } },
  );
}
