import type { KubernetesObject, NamespacedObject } from "./api/meta/v1.ts";
import type { ReadonlyValue } from "./json/json-value.ts";

declare const APPLIES_TO: unique symbol;

/**
 * Reports which objects a configuration is for. It is known to the compiler alone: no value has this property.
 *
 * A client infers the type of the result from it: applying a `DeploymentApply` returns a `Deployment`.
 */
export interface AppliesTo<T> {
  /** The type of the objects that the configuration is for; no object has this field. */
  readonly [APPLIES_TO]?: T;
}

/**
 * Makes every field of a type optional, which is how much of an object one owner may state; fields that are objects themselves have the types
 * that `Nested` gives them. What is atomic stays as it is: whoever applies it states all of it.
 */
export type ApplyFields<T, Nested = unknown> = {
  readonly [K in keyof T]?: K extends keyof Nested ? Nested[K] : ReadonlyValue<T[K]>;
};

/** An element of a list that is merged by keys: without its keys the server could not tell which element it is. */
export type ListMapItem<T, K extends keyof T> = T & { readonly [P in K]-?: NonNullable<T[P]> };

/** Is what a kind's configuration is made of besides its identity: the argument of the function that makes one. */
export type ApplyInput<T extends { readonly metadata: object }> = Omit<
  T,
  "apiVersion" | "kind" | "metadata" | typeof APPLIES_TO
> & {
  readonly metadata?: Omit<T["metadata"], "name" | "namespace">;
};

/** The fields of a kind that are its own, and not those that every object has. */
export type OwnFields<T extends KubernetesObject> = Omit<T, keyof NamespacedObject>;
