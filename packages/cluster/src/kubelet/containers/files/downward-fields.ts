import type { ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import { quantityToBigInt } from "@kubescaffold/k8s";
import type { Container, Node, ObjectFieldSelector, Pod, ResourceFieldSelector } from "@kubescaffold/k8s/core/v1";
import { isRecord } from "@kubescaffold/platform";

const MAP_ENTRY = /^metadata\.(?<map>labels|annotations)\['(?<key>.*)'\]$/u;
// Quantities are compared in thousandths.
const MILLI = -3;

/** Returns a field of a Pod as containers get it; empty for one that the Pod does not have. */
export function podField(pod: Pod, { fieldPath }: ObjectFieldSelector): string {
  const { map = "", key = "" } = MAP_ENTRY.exec(fieldPath)?.groups ?? {};
  if (map !== "") return pod.metadata[map as "labels" | "annotations"]?.[key] ?? "";
  if (fieldPath === "metadata.labels") return mapText(pod.metadata.labels);
  if (fieldPath === "metadata.annotations") return mapText(pod.metadata.annotations);
  if (fieldPath === "status.podIPs") return (pod.status?.podIPs ?? []).map(({ ip }) => ip).join(",");
  if (fieldPath === "status.hostIPs") return (pod.status?.hostIPs ?? []).map(({ ip }) => ip).join(",");
  let value: unknown = pod;
  for (const name of fieldPath.split(".")) value = isRecord(value) ? value[name] : undefined;
  return typeof value === "string" ? value : "";
}

function mapText(entries: Readonly<Record<string, string>> = {}): string {
  return Object.entries(entries)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join("\n");
}

/** Returns a request or limit of a container in units of the divisor, rounded up; without a limit, it is what the node has. */
export function resourceField(
  container: Container,
  pod: Pod,
  {
    selector: { resource, divisor = "1" },
    objects,
  }: { readonly selector: ResourceFieldSelector; readonly objects: ObjectReader },
): string {
  const [part = "", name = ""] = resource.split(/\.(.*)/su);
  const stated = container.resources?.[part as "limits" | "requests"]?.[name];
  const amount = stated ?? (part === "limits" ? allocatable(pod, objects, name) : "0");
  const unit = quantityToBigInt(divisor === "0" ? "1" : divisor, MILLI);
  const value = quantityToBigInt(amount, MILLI);
  return String((value + unit - 1n) / unit);
}

function allocatable(pod: Pod, objects: ObjectReader, name: string): string {
  const node = objects.get({ group: "", resource: "nodes" }, { namespace: "", name: pod.spec?.nodeName ?? "" });
  return (node as Node | undefined)?.status?.allocatable?.[name] ?? "0";
}
