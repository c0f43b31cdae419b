import type { ControllerRule } from "../store-controller.ts";

/** The name of this controller's service account. */
export const RESOURCE_QUOTA_CONTROLLER = "resourcequota-controller";

/** Where quotas are stored and served. */
export const RESOURCE_QUOTAS = { group: "", version: "v1", resource: "resourcequotas" } as const;

/** Permissions of this controller. */
export const RESOURCE_QUOTA_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: ["*"], resources: ["*"], verbs: ["list", "watch"] },
  { apiGroups: [""], resources: ["resourcequotas/status"], verbs: ["update"] },
  { apiGroups: [""], resources: ["events"], verbs: ["create", "patch", "update"] },
];
