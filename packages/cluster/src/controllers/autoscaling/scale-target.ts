import type { InternalClient, JsonObject, ObjectTarget, ServerContext } from "@kubescaffold/apiserver/cluster-api";
import { isConflict, parseApiVersion, StatusError } from "@kubescaffold/k8s";
import type { CrossVersionObjectReference } from "@kubescaffold/k8s/autoscaling/v2";

/** The scale of the object that an autoscaler scales. */
export interface ScaleTarget {
  readonly target: ObjectTarget;
  readonly scale: JsonObject;
  readonly replicas: number;
  readonly statusReplicas: number;
  /** The selector of its pods as text; empty without one. */
  readonly selector: string;
}

/** A target, or why there is none. */
export type FoundTarget =
  | { readonly kind: "found"; readonly found: ScaleTarget }
  | { readonly kind: "failed"; readonly message: string };

const ATTEMPTS = 5;

/** Reads the scale of the object that a reference names, in the first version of its kind that has one. */
export async function findTarget(
  { resources }: ServerContext,
  client: InternalClient,
  { namespace, apiVersion = "", kind, name }: CrossVersionObjectReference & { readonly namespace: string },
): Promise<FoundTarget> {
  const { group } = parseApiVersion(apiVersion);
  const versions = resources.all().filter((each) => each.kind === kind && each.group === group);
  let message: string | undefined;
  for (const { version, resource } of versions) {
    const target = { group, version, resource, namespace, name, subresource: "scale" };
    try {
      return { kind: "found", found: toTarget(target, await client.get(target)) };
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      message ??= error.message;
    }
  }
  const unknown = `no matches for kind ${JSON.stringify(kind)} in group ${JSON.stringify(group)}`;
  return { kind: "failed", message: message ?? unknown };
}

/** Scales an object; tries again when the scale has changed meanwhile. */
export async function scaleTarget(client: InternalClient, found: ScaleTarget, replicas: number): Promise<void> {
  let { scale } = found;
  for (let attempt = 1; ; attempt++) {
    try {
      await client.update(found.target, { ...scale, spec: { replicas } });
      return;
    } catch (error) {
      if (!isConflict(error) || attempt === ATTEMPTS) throw error;
      ({ scale } = toTarget(found.target, await client.get(found.target)));
    }
  }
}

function toTarget(target: ObjectTarget, object: unknown): ScaleTarget {
  const { spec, status } = object as {
    readonly spec?: { readonly replicas?: number };
    readonly status?: { readonly replicas?: number; readonly selector?: string };
  };
  return {
    target,
    scale: object as JsonObject,
    replicas: spec?.replicas ?? 0,
    statusReplicas: status?.replicas ?? 0,
    selector: status?.selector ?? "",
  };
}
