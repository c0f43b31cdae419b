import { KUBERNETES_MINOR, type KubernetesMinor } from "../kubernetes-version.ts";
import { structNames, structSchema, type StructSchemas } from "./struct-schemas.ts";

/** Loads what controller-gen makes of the structs of a minor version of Kubernetes. The tables of versions other than that of the types of this package are read on first use. */
export async function loadStructSchemas(minor: KubernetesMinor): Promise<StructSchemas> {
  return await LOADERS[minor]();
}

const LOADERS: Readonly<Record<KubernetesMinor, () => StructSchemas | Promise<StructSchemas>>> = {
  "1.34": async () => (await import("./structs/v1-34.ts")).structs,
  [KUBERNETES_MINOR]: () => ({ structSchema, structNames }),
  "1.36": async () => (await import("./structs/v1-36.ts")).structs,
  "1.37": async () => (await import("./structs/v1-37.ts")).structs,
};
