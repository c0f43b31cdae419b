import { KUBERNETES_MINOR, type KubernetesMinor } from "@kubescaffold/k8s";

import type { StructLookup } from "../crd/model/known-schemas.ts";
import type { TypeModel } from "../loader/type-model.ts";

/** Loads the schemas of the built-in structs of a minor version of Kubernetes; the tables are large, so they are loaded only for sources that use one. */
export async function loadStructs(model: TypeModel, minor: KubernetesMinor = KUBERNETES_MINOR): Promise<StructLookup> {
  const usesStructs = [...model.names.values()].some(
    (target) => target.kind === "built-in" && !LIGHT.has(`${target.module}#${target.name}`),
  );
  if (!usesStructs) return () => undefined;
  const { loadStructSchemas } = await import("@kubescaffold/k8s/tables");
  return (await loadStructSchemas(minor)).structSchema;
}

const LIGHT = new Set([
  ...["integer", "int32", "int64", "Bytes", "Quantity", "IntOrString", "RawExtension", "JSONValue"].map(
    (name) => `@kubescaffold/k8s#${name}`,
  ),
  ...["KubernetesObject", "NamespacedObject", "TypeMeta", "ObjectMeta", "Time", "MicroTime", "Duration"].map(
    (name) => `@kubescaffold/k8s/meta/v1#${name}`,
  ),
]);
