import type { GroupResource, GroupVersionKind } from "@kubescaffold/k8s";
import type { JsonSchema } from "@kubescaffold/schema";

import type { ServedResource } from "./resource-catalog.ts";
import type { Strategy } from "./strategy.ts";

/** A served resource with all that is needed to handle requests for it. */
export interface ResourceType extends ServedResource {
  /** Made on first use. */
  readonly strategy: () => Strategy;
  /** Columns for `kubectl get`; made on first use. */
  readonly columns: () => TableColumns;
  /** The schema of a custom resource, for OpenAPI. */
  readonly schema?: () => JsonSchema | undefined;
  /** Changes whenever the schema of a custom resource does. */
  readonly schemaIdentity?: string;
  /** Sent with every answer, for versions that are deprecated. */
  readonly deprecationWarning?: string;
  /** The kinds and verbs of the subresources. */
  readonly subresourceTypes: readonly SubresourceType[];
  /** A resource without the verbs of storage. */
  readonly isVirtual?: boolean;
  /** Verbs that are answered although discovery does not list them. */
  readonly unlistedVerbs?: readonly string[];
  /** Refuses creates, with a reason, while its definition is being deleted. */
  readonly createsRefusedFor?: string;
}

/** An endpoint below the objects of a resource. */
export interface SubresourceType extends GroupVersionKind {
  readonly name: string;
  readonly verbs: readonly string[];
}

/** One column of a table. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
}

/** How objects are printed as rows. */
export interface TableColumns {
  readonly definitions: readonly ColumnDefinition[];
  /** Returns the cells of an object; ages are relative to a moment. */
  cells(object: { readonly [field: string]: unknown }, nowMs: number): readonly unknown[];
}

/** Returns the group and resource, as failures name it. */
export function groupResourceOf(type: ServedResource): GroupResource {
  return { group: type.group, resource: type.resource };
}

/** Returns a function that makes its value on the first call. */
export function once<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => (value ??= { made: make() }).made;
}
