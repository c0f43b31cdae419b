import type { DeepReadonly } from "@kubescaffold/k8s";
import type { Service, ServicePort } from "@kubescaffold/k8s/core/v1";
import type { Ingress } from "@kubescaffold/k8s/networking/v1";
import { controllerutil, type Stored } from "@kubescaffold/runtime";

/** The annotation of a Service with the host of its Ingress. Without it, the Service has no Ingress. */
export const HOST_ANNOTATION = "ingress.example.com/host";

/** The annotation with the name or number of the port that the Ingress exposes (default: the first port). */
export const PORT_ANNOTATION = "ingress.example.com/port";

/** Returns the host of a Service; undefined if it has none. */
export function hostOf({ metadata }: DeepReadonly<Service>): string | undefined {
  const host = metadata.annotations?.[HOST_ANNOTATION]?.trim() ?? "";
  return host === "" ? undefined : host;
}

/** Returns the port of a Service that its Ingress exposes; undefined if it does not exist. */
export function portOf({ metadata, spec }: DeepReadonly<Service>): ServicePort | undefined {
  const ports = spec?.ports ?? [];
  const wanted = metadata.annotations?.[PORT_ANNOTATION]?.trim() ?? "";
  return wanted === "" ? ports[0] : ports.find(({ name, port }) => name === wanted || String(port) === wanted);
}

/** Reports whether an object of the API server belongs to this Service, and not to an earlier one with the same name. */
export function isControlledBy({ metadata }: DeepReadonly<Service>, ingress: DeepReadonly<Ingress>): boolean {
  const owners = ingress.metadata.ownerReferences ?? [];
  return owners.some(({ controller, uid }) => controller === true && uid === metadata.uid);
}

/** Returns the Ingress with the desired rules. Keeps all other fields, such as its class and certificates. */
export function withDesiredRules(
  service: DeepReadonly<Stored<Service>>,
  ingress: Ingress,
  host: string,
  port: ServicePort,
): Ingress {
  const backend = { service: { name: service.metadata.name, port: { number: port.port } } };
  const rule = { host, http: { paths: [{ path: "/", pathType: "Prefix" as const, backend }] } };
  return controllerutil.setControllerReference(service, { ...ingress, spec: { ...ingress.spec, rules: [rule] } });
}
