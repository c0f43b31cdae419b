import type { UserInfo } from "./request-context.ts";

/** The start of the names of kubelets, before that of their node. */
export const KUBELET_PREFIX = "system:node:";

/** The group of kubelets. */
export const KUBELETS = "system:nodes";

/** Returns the node of a kubelet, empty if its name states none; undefined for other users. */
export function nodeOfKubelet({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(KUBELET_PREFIX) && groups.includes(KUBELETS) ? name.slice(KUBELET_PREFIX.length) : undefined;
}
