import type { AdmissionPlugin } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";

/** Returns a factory of a plugin that is loaded with its first write, since few clusters run it. */
export function lazyPlugin(
  name: string,
  load: () => Promise<(context: ServerContext) => AdmissionPlugin>,
): (context: ServerContext) => AdmissionPlugin {
  return (context) => {
    let plugin: Promise<AdmissionPlugin> | undefined;
    const loaded = async (): Promise<AdmissionPlugin> => await (plugin ??= load().then((create) => create(context)));
    return {
      name,
      mutate: async (attributes) => await (await loaded()).mutate?.(attributes),
      validate: async (attributes) => await (await loaded()).validate?.(attributes),
    };
  };
}
