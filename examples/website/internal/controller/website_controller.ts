import { type Manager, newControllerManagedBy } from "@kubescaffold/runtime";

import { Website } from "../../api/v1/website_types.ts";
import { budget, deployment, ingress, pages, service } from "./website_dependents.ts";

// +kubebuilder:rbac:groups=web.demo,resources=websites,verbs=get;list;watch
// +kubebuilder:rbac:groups=web.demo,resources=websites/status,verbs=get;update;patch
// +kubebuilder:rbac:groups=web.demo,resources=websites/finalizers,verbs=update
// +kubebuilder:rbac:groups="",resources=configmaps;services,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets,verbs=get;list;watch;create;patch;delete
// +kubebuilder:rbac:groups=networking.k8s.io,resources=ingresses,verbs=get;list;watch;create;patch;delete

/** Registers the controller of Websites with the manager. */
export async function setupWebsiteController(mgr: Manager): Promise<void> {
  await newControllerManagedBy(mgr)
    .for(Website)
    .named("website")
    .dependents({ pages, deployment, service, budget, ingress })
    .complete({
      status: ({ spec }, states) => ({
        readyReplicas: states.deployment.object?.status?.readyReplicas ?? 0,
        url: states.ingress.state === "ready" ? `http://${spec.host ?? ""}/` : undefined,
      }),
    });
}
