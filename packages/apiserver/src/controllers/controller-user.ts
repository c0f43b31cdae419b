import type { UserInfo } from "../request/user-info.ts";

/** An action that a controller must be allowed to take; its role is made from these. */
export interface ControllerRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Returns the service account in `kube-system` that a controller acts as. */
export function controllerUser(name: string): UserInfo {
  return {
    name: `system:serviceaccount:kube-system:${name}`,
    groups: ["system:serviceaccounts", "system:serviceaccounts:kube-system", "system:authenticated"],
  };
}
