import { objectOf, type Json, type KubeObject, type RowContext } from "../row.ts";

export const CRDS_PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Creates a definition of the row's own, waits until it is served, and has it deleted when the row is over. */
export async function installCrd(
  { quietly, eventually, cleanUp }: Pick<RowContext, "quietly" | "eventually" | "cleanUp">,
  definition: Json,
): Promise<KubeObject> {
  const { metadata, spec } = definition as unknown as KubeObject;
  const { group, names, versions } = spec as unknown as {
    group: string;
    names: { plural: string };
    versions: readonly { name: string; served: boolean }[];
  };
  const path = `${CRDS_PATH}/${metadata.name}`;
  await quietly({ method: "POST", path: CRDS_PATH, body: definition });
  cleanUp(() => quietly({ method: "DELETE", path }));
  const established = await eventually({ path }, (answer) => conditionOf(objectOf(answer), "Established") === "True");
  const served = versions.find((version) => version.served)?.name ?? "v1";
  await eventually({ path: `/apis/${group}/${served}/${names.plural}` }, (answer) => answer.status === 200);
  return objectOf(established);
}

/** Returns the status of a condition of an object. */
export function conditionOf({ status }: KubeObject, type: string): string | undefined {
  const conditions = (status?.["conditions"] ?? []) as readonly { readonly type: string; readonly status: string }[];
  return conditions.find((condition) => condition.type === type)?.status;
}
