import type { ApiObject } from "../storage/api-object.ts";
import type { AdmissionAttributes, AdmissionPlugin } from "./admission-plugin.ts";

/** Runs all admission plugins over a write, in their order. */
export interface AdmissionChain {
  /** Returns the object as the plugins want it. */
  mutate(attributes: AdmissionAttributes): Promise<ApiObject | undefined>;
  validate(attributes: AdmissionAttributes): Promise<void>;
}

/** Makes a chain of plugins. */
export function createAdmissionChain(plugins: readonly AdmissionPlugin[]): AdmissionChain {
  return {
    mutate: async (attributes) => {
      let object = attributes.object;
      for (const plugin of plugins) {
        object = (await plugin.mutate?.(withObject(attributes, object))) ?? object;
      }
      return object;
    },
    validate: async (attributes) => {
      for (const plugin of plugins) {
        await plugin.validate?.(attributes);
      }
    },
  };
}

function withObject(attributes: AdmissionAttributes, object: ApiObject | undefined): AdmissionAttributes {
  return object === attributes.object ? attributes : { ...attributes, object };
}
