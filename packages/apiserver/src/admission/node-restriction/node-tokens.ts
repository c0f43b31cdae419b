import { newNotFound } from "@kubescaffold/k8s";
import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from "@kubescaffold/k8s/core/v1";
import type { CSIDriver } from "@kubescaffold/k8s/storage/v1";

import { checkPermission, refusal } from "../../pipeline/extension-points.ts";
import type { NodeWrite } from "./node-write.ts";

const PODS = { group: "", resource: "pods" } as const;

interface TokenSpec {
  readonly audiences?: readonly string[];
  readonly boundObjectRef?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly uid?: string;
  } | null;
}

/** Admits requests for tokens that are bound to a Pod of the node, for audiences that the Pod needs. */
export async function admitToken(write: NodeWrite): Promise<void> {
  const { context, attributes, node } = write;
  if (attributes.operation !== "CREATE" || attributes.subresource !== "token") return;
  const { audiences = [], boundObjectRef } = (attributes.object?.["spec"] ?? {}) as TokenSpec;
  const { apiVersion, kind, name = "", uid = "" } = boundObjectRef ?? {};
  const refuse = (message: string): never => {
    throw refusal(attributes, message);
  };
  if (apiVersion !== "v1" || kind !== "Pod" || name === "") refuse("node requested token not bound to a pod");
  if (uid === "") refuse("node requested token with a pod binding without a uid");
  const pod = context.objects.get(PODS, { namespace: attributes.namespace, name }) as Pod | undefined;
  if (pod === undefined) throw newNotFound(PODS, name);
  if (pod.metadata.uid !== uid) {
    refuse(
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (pod.spec?.nodeName !== node) refuse("node requested token bound to a pod scheduled on a different node");
  if (audiences.length > 1) refuse("node may only request 0 or 1 audiences");
  const [audience = ""] = audiences;
  if ((pod.spec?.volumes ?? []).some((volume) => needsAudience(write, { pod, volume, audience }))) return;
  if (await mayRequest(write, audience)) return;
  refuse(
    context.release.since("1.37")
      ? `${attributes.user.name} is not authorized to request tokens for audience ${JSON.stringify(audience)}`
      : `audience ${JSON.stringify(audience)} not found in pod spec volume, ${attributes.user.name} is not authorized to request tokens for this audience`,
  );
}

interface Need {
  readonly pod: Pod;
  readonly volume: Volume;
  readonly audience: string;
}

function needsAudience(write: NodeWrite, { pod, volume, audience }: Need): boolean {
  const sources = volume.projected?.sources ?? [];
  const isProjected = sources.some(
    ({ serviceAccountToken }) => serviceAccountToken !== undefined && (serviceAccountToken.audience ?? "") === audience,
  );
  return isProjected || driverNeedsAudience(write, driverOf(write, pod, volume), audience);
}

function driverOf(write: NodeWrite, { metadata }: Pod, volume: Volume): string {
  if (volume.ephemeral?.volumeClaimTemplate !== undefined) {
    return claimDriver(write, `${metadata.name ?? ""}-${volume.name}`);
  }
  if (volume.persistentVolumeClaim !== undefined) return claimDriver(write, volume.persistentVolumeClaim.claimName);
  return volume.csi?.driver ?? "";
}

function claimDriver({ context, attributes }: NodeWrite, name: string): string {
  const { objects } = context;
  const claim = objects.get(
    { group: "", resource: "persistentvolumeclaims" },
    { namespace: attributes.namespace, name },
  ) as PersistentVolumeClaim | undefined;
  const volume = objects.get(
    { group: "", resource: "persistentvolumes" },
    { namespace: "", name: claim?.spec?.volumeName ?? "" },
  ) as PersistentVolume | undefined;
  return volume?.spec?.csi?.driver ?? "";
}

function driverNeedsAudience({ context }: NodeWrite, name: string, audience: string): boolean {
  if (name === "") return false;
  const driver = context.objects.get({ group: "storage.k8s.io", resource: "csidrivers" }, { namespace: "", name });
  const { tokenRequests = [] } = (driver as unknown as CSIDriver | undefined)?.spec ?? {};
  return tokenRequests.some((each) => each.audience === audience);
}

async function mayRequest({ context, attributes }: NodeWrite, audience: string): Promise<boolean> {
  const { namespace, name, user } = attributes;
  const decision = await checkPermission(context, {
    isResourceRequest: true,
    path: "",
    verb: "request-serviceaccounts-token-audience",
    group: "",
    version: "v1",
    namespace,
    resource: audience,
    subresource: "",
    name,
    user,
  });
  return decision.allowed;
}
