import type { AdmissionPlugin } from "../../pipeline/extension-points.ts";
import type { ServerContext } from "../../pipeline/server-context.ts";

/** Creates the plugin ServiceAccount, which is loaded with its first request: few clusters run it. */
export function lazyServiceAccountAdmission(context: ServerContext): AdmissionPlugin {
  const load = async (): Promise<AdmissionPlugin> => {
    const { serviceAccountAdmission } = await import("./service-account.ts");
    return serviceAccountAdmission(context);
  };
  let plugin: Promise<AdmissionPlugin> | undefined;
  return {
    name: "ServiceAccount",
    mutate: async (attributes) => await (await (plugin ??= load())).mutate?.(attributes),
    validate: async (attributes) => await (await (plugin ??= load())).validate?.(attributes),
  };
}
