import type { Ingress } from "@kubescaffold/k8s/networking/v1";

import type { AdmissionPlugin } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { defaultClass } from "./default-storage-class.ts";

const INGRESS_CLASSES = { group: "networking.k8s.io", resource: "ingressclasses" } as const;
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";
const DEFAULT_ANNOTATIONS = ["ingressclass.kubernetes.io/is-default-class"] as const;

/** Gives new Ingresses without a class the default IngressClass: of several, the newest. */
export function defaultIngressClass(context: Pick<ServerContext, "objects">): AdmissionPlugin {
  return {
    name: "DefaultIngressClass",
    mutate: ({ operation, resource, subresource, object }) => {
      const isIngress = resource.group === INGRESS_CLASSES.group && resource.resource === "ingresses";
      const ingress = object as Ingress | undefined;
      if (operation !== "CREATE" || !isIngress || subresource !== "" || ingress === undefined) return undefined;
      const { metadata, spec } = ingress;
      const hasClass = spec?.ingressClassName !== undefined || metadata.annotations?.[CLASS_ANNOTATION] !== undefined;
      if (hasClass) return undefined;
      const ingressClassName = defaultClass(context.objects.list(INGRESS_CLASSES), DEFAULT_ANNOTATIONS)?.metadata.name;
      return ingressClassName === undefined ? undefined : { ...ingress, spec: { ...spec, ingressClassName } };
    },
  };
}
