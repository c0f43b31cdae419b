import type { UserInfo } from "../request/request-context.ts";

/** Returns the user that reports the status of a node and its pods. */
export function kubeletUser(node: string): UserInfo {
  return { name: `system:node:${node}`, groups: ["system:nodes", "system:authenticated"] };
}
