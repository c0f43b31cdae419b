import { type Controller, defineController, EVENT_RULE } from "@kubescaffold/apiserver/cluster-api";

import { VALIDATING_POLICIES } from "./policy-resources.ts";

/** Checks the types of the expressions of ValidatingAdmissionPolicies. */
export const POLICY_STATUS_CONTROLLER: Controller = defineController({
  name: "validatingadmissionpolicy-status-controller",
  rules: [
    {
      apiGroups: ["admissionregistration.k8s.io"],
      resources: ["validatingadmissionpolicies"],
      verbs: ["get", "list", "watch"],
    },
    {
      apiGroups: ["admissionregistration.k8s.io"],
      resources: ["validatingadmissionpolicies/status"],
      verbs: ["get", "patch", "update"],
    },
    EVENT_RULE,
  ],
  demand: { resources: [VALIDATING_POLICIES] },
  load: () => import("./policy-status-controller.ts"),
});
