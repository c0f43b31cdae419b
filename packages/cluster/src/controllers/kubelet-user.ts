import { KUBELET_PREFIX, KUBELETS, type UserInfo } from "@kubescaffold/apiserver/cluster-api";

/** Returns the user that reports the status of a node and its pods. */
export function kubeletUser(node: string): UserInfo {
  return { name: `${KUBELET_PREFIX}${node}`, groups: [KUBELETS, "system:authenticated"] };
}
