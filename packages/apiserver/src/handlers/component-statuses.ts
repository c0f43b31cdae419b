import { notFound } from "../request/failures.ts";
import type { RequestContext } from "../request/request-context.ts";
import type { ResourceType } from "../resources/registry.ts";
import { parseSelection } from "../resources/selection.ts";
import type { ApiObject } from "../storage/api-object.ts";
import type { ListResult } from "./list.ts";

/** A component of the control plane beside the server. */
export type ControlPlaneComponent = "controller-manager" | "scheduler";

// Where kube-apiserver looks for them.
const PORTS: Readonly<Record<ControlPlaneComponent, number>> = { "controller-manager": 10_257, scheduler: 10_259 };

/** Reports whether a resource shows the components, which are not stored. */
export function isComponentStatus({ group, resource, isCustom }: ResourceType): boolean {
  return group === "" && resource === "componentstatuses" && !isCustom;
}

/** Returns the status of the component that a request names. */
export function componentStatus(components: readonly ControlPlaneComponent[], { info }: RequestContext): ApiObject {
  const found = componentStatuses(components).find(({ metadata }) => metadata.name === info.name);
  if (found === undefined)
    throw notFound({ groupResource: { group: "", resource: "componentstatus" }, name: info.name });
  return found;
}

/** Returns the components that a request selects; the list has no version. */
export function listComponentStatuses(
  components: readonly ControlPlaneComponent[],
  { request }: RequestContext,
  type: ResourceType,
): ListResult {
  const selection = parseSelection(request.query, type);
  const items = componentStatuses(components).filter((object) => selection.matches(object));
  return { items, resourceVersion: "", continueToken: "", remainingItemCount: undefined };
}

// What runs in the process is well, and so is the storage.
function componentStatuses(components: readonly ControlPlaneComponent[]): readonly ApiObject[] {
  const healthy = { type: "Healthy", status: "True", message: "ok" };
  const others = (["controller-manager", "scheduler"] as const).map((name) =>
    statusOf(name, components.includes(name) ? healthy : refused(PORTS[name])),
  );
  return [...others, statusOf("etcd-0", healthy)];
}

function refused(port: number): object {
  const address = `127.0.0.1:${String(port)}`;
  const message = `Get "https://${address}/healthz": dial tcp ${address}: connect: connection refused`;
  return { type: "Healthy", status: "False", message };
}

function statusOf(name: string, condition: object): ApiObject {
  return { kind: "ComponentStatus", apiVersion: "v1", metadata: { name }, conditions: [condition] };
}
