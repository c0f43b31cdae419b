/**
 * Kubernetes API types and their facts, without I/O: kinds and their values, metadata, quantities, selectors, status errors.
 */
export * from "./field-error.ts";
export * from "./go-format.ts";
export * from "./group-version.ts";
export type * from "./int-or-string.ts";
export * from "./kind.ts";
export * from "./namespaced-name.ts";
export * from "./pluralize.ts";
export * from "./quantity-error.ts";
export * from "./quantity.ts";
export * from "./rest-config.ts";
export * from "./scaffold-error.ts";
export * from "./scalars.ts";
export * from "./status-error.ts";
