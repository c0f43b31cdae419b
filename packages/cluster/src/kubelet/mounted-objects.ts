import { type ApiObject, keyOf, type ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { type GroupResource, objectKey } from "@kubescaffold/k8s";
import type { Pod, Volume } from "@kubescaffold/k8s/core/v1";

import { PODS } from "../controllers/workload/workload-objects.ts";

const CONFIG_MAPS = { group: "", resource: "configmaps" } as const;
const SECRETS = { group: "", resource: "secrets" } as const;

/** The resources whose objects containers have as files. */
export const MOUNTABLE: readonly GroupResource[] = [CONFIG_MAPS, SECRETS];

/** Reports whether objects of a resource can be mounted. */
export function isMountable({ group, resource }: GroupResource): boolean {
  return MOUNTABLE.some((each) => each.group === group && each.resource === resource);
}

/** Returns the keys of the pods that have an object as a volume, or as a part of one. */
export function podsThatMount(
  { objects }: ServerContext,
  { resource }: GroupResource,
  { metadata }: ApiObject,
): readonly string[] {
  const pods = objects.list(PODS, metadata.namespace) as readonly Pod[];
  const isSource = ({ configMap, secret, projected }: Volume): boolean =>
    resource === CONFIG_MAPS.resource
      ? configMap?.name === metadata.name ||
        (projected?.sources ?? []).some((source) => source.configMap?.name === metadata.name)
      : secret?.secretName === metadata.name ||
        (projected?.sources ?? []).some((source) => source.secret?.name === metadata.name);
  return pods.filter(({ spec }) => spec?.volumes?.some(isSource) === true).map((pod) => keyOf(objectKey(pod)));
}
