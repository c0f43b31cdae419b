import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * An object of any kind. One that came out of the store is frozen and shared; one that was just decoded belongs to its request.
 */
export interface ApiObject extends KubernetesObject {
  /** Fields of the kind. */
  [field: string]: unknown;
}

/** Any JSON value. */
type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object whose fields are not known. */
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A JSON object that its holder owns and may change. */
export interface MutableJsonObject {
  [key: string]: unknown;
}
