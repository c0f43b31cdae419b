import { KUBELET_PREFIX, KUBELETS } from "../request/kubelet-names.ts";
import type { UserInfo } from "../request/request-context.ts";

/** Returns the user that reports the status of a node and its pods. */
export function kubeletUser(node: string): UserInfo {
  return { name: `${KUBELET_PREFIX}${node}`, groups: [KUBELETS, "system:authenticated"] };
}
