import { isInvalid, isNotFound, matchesLabelSelector, objectKey } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";

import type { InternalClient, ServerContext } from "../../pipeline/server-context.ts";
import { controllerOf, controllerReference, PODS } from "./workload-objects.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** Which pods belong to an owner. */
interface Membership {
  readonly selector: LabelSelector | undefined;
  /** Default: what the selector chooses. */
  readonly isMember?: (pod: Pod) => boolean;
}

/** Returns the pods of an owner: it takes those that match and have no controller, and lets those go that no longer match. */
export async function claimPods(
  { objects }: ServerContext,
  client: InternalClient,
  owner: KubernetesObject,
  { selector, isMember = () => true }: Membership,
): Promise<readonly Pod[]> {
  const claimed: Pod[] = [];
  const isGoing = owner.metadata.deletionTimestamp !== undefined;
  for (const pod of objects.list(PODS, owner.metadata.namespace) as unknown as readonly Pod[]) {
    const controller = controllerOf(pod);
    if (controller !== undefined && controller.uid !== owner.metadata.uid) continue;
    const belongs = matchesLabelSelector(selector, pod.metadata.labels) && isMember(pod);
    if (controller !== undefined && belongs) claimed.push(pod);
    else if (isGoing || (controller === undefined && pod.metadata.deletionTimestamp !== undefined)) continue;
    else if (controller !== undefined) await patchOwner(client, pod, { $patch: "delete", uid: controller.uid });
    else if (belongs && (await patchOwner(client, pod, controllerReference(owner)))) claimed.push(pod);
  }
  return claimed;
}

// Reports whether the pod still exists.
async function patchOwner(client: InternalClient, pod: Pod, reference: object): Promise<boolean> {
  const body = { metadata: { uid: pod.metadata.uid, ownerReferences: [reference] } };
  try {
    await client.patch({ ...PODS, ...objectKey(pod) }, { contentType: STRATEGIC, body });
    return true;
  } catch (error) {
    if (!isNotFound(error) && !isInvalid(error)) throw error;
    return false;
  }
}
