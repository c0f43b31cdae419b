import type { AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";

const RESOURCE_QUOTAS = { group: "", resource: "resourcequotas" } as const;

/** Charges writes to the ResourceQuotas of their namespace, and refuses those that exceed one. */
export function resourceQuota(context: Pick<ServerContext, "objects" | "clock" | "changeStored">): AdmissionPlugin {
  return {
    name: "ResourceQuota",
    validate: async (attributes) => {
      const { operation, namespace, isNamespaced } = attributes;
      if (!isNamespaced || (operation !== "CREATE" && operation !== "UPDATE")) return;
      if (context.objects.list(RESOURCE_QUOTAS, namespace).length === 0) return;
      const { chargeQuotas } = await import("./charge-quotas.ts");
      chargeQuotas(context, attributes);
    },
  };
}
