import type { TransformFunction } from "./shared-informer.ts";

/** Returns a transform that drops `metadata.managedFields`, which few programs read and which often are half of an object. */
export function transformStripManagedFields(): TransformFunction {
  return (object) => {
    if (object.metadata.managedFields === undefined) {
      return object;
    }
    const { managedFields: _managedFields, ...metadata } = object.metadata;
    return { ...object, metadata };
  };
}
