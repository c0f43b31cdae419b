import { type DeepReadonly, gvkOf, type JSONValue } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { builtInSchema } from "@kubescaffold/k8s/schemas";
import { deepEqual as jsonEqual, type JsonObject, type JsonSchema } from "@kubescaffold/schema";
import { applyFields, fieldSetOf, type FieldOwners, type FieldSet, printFieldSet } from "@kubescaffold/schema";

import type { ApplyConfiguration } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import { deepEqual } from "../client/semantic.ts";

/** An apply that may be unnecessary. */
export interface PlannedApply {
  /** The object in the cache. */
  readonly existing: DeepReadonly<Stored<KubernetesObject>>;
  /** The configuration to apply. */
  readonly configuration: ApplyConfiguration;
  /** The field manager. */
  readonly fieldOwner: string;
  /** The schema of a custom resource. */
  readonly schema: JsonSchema | undefined;
}

/**
 * Reports whether an apply would change nothing: neither a field, nor the fields that the manager owns.
 *
 * Without a schema, or if the cache strips `managedFields`, it may return false although the server would change nothing.
 */
export function isApplied({ existing, configuration, fieldOwner, schema }: PlannedApply): boolean {
  const live = withoutOwners(existing);
  const owners = ownersOf(existing, fieldOwner);
  const own = owners.get(OWN);
  if (own === undefined) {
    return false;
  }
  const outcome = applyFields(
    { live, applied: configuration as unknown as JsonObject, owners, manager: OWN, force: true },
    { schema: schemaOf(existing, schema), resolve: builtInSchema },
  );
  return (
    outcome.kind === "applied" &&
    isSameSet(own, withoutIdentity(outcome.owners.get(OWN) ?? new Map())) &&
    deepEqual(live, outcome.object, schema === undefined ? {} : { schema })
  );
}

const OWN = "";
const OBJECT_META: JsonSchema = { $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta" };

/** Returns the schema by which the server merges; that of a CRD contains nothing about the metadata. */
function schemaOf(object: DeepReadonly<Stored<KubernetesObject>>, schema: JsonSchema | undefined): JsonSchema {
  const builtIn = schema === undefined ? builtInSchema(gvkOf(object)) : undefined;
  const text = { type: "string" };
  return (
    builtIn ?? {
      ...(schema ?? { type: "object", "x-kubernetes-preserve-unknown-fields": true }),
      properties: { ...schema?.properties, apiVersion: text, kind: text, metadata: OBJECT_META },
    }
  );
}

function ownersOf({ metadata }: DeepReadonly<Stored<KubernetesObject>>, fieldOwner: string): FieldOwners {
  const entries = metadata.managedFields ?? [];
  return new Map(
    entries.map(({ manager, operation, subresource = "", apiVersion, fieldsV1 }): readonly [string, FieldSet] => {
      const isOwn = manager === fieldOwner && operation === "Apply" && subresource === "";
      const key = isOwn ? OWN : JSON.stringify([manager, operation, subresource, apiVersion]);
      return [key, fieldSetOf(fieldsV1 as JSONValue | undefined)];
    }),
  );
}

/** Returns the fields without those that nobody owns. */
function withoutIdentity(set: FieldSet): FieldSet {
  const metadata = set.get("f:metadata");
  const rest = new Map([...set].filter(([element]) => !["f:apiVersion", "f:kind", "f:metadata"].includes(element)));
  if (metadata !== undefined) {
    const children = new Map([...metadata.children].filter(([name]) => name !== "f:name" && name !== "f:namespace"));
    if (children.size > 0) {
      rest.set("f:metadata", { ...metadata, children });
    }
  }
  return rest;
}

function isSameSet(left: FieldSet, right: FieldSet): boolean {
  return jsonEqual(printFieldSet(left), printFieldSet(right));
}

function withoutOwners({ metadata, ...fields }: DeepReadonly<Stored<KubernetesObject>>): JsonObject {
  const { managedFields: _managedFields, ...own } = metadata;
  return { ...fields, metadata: own };
}

/** Remembers the applies that are repeated because {@link isApplied} cannot tell that they change nothing. */
export class AppliedConfigurations {
  readonly #known = new Map<string, Map<string, PlannedApply>>();

  /** Reports whether the same configuration was applied, and the object has not changed since, except for its status. */
  isKnown(owner: string, dependent: string, { existing, configuration, fieldOwner }: PlannedApply): boolean {
    const known = this.#known.get(owner)?.get(dependent);
    return (
      known !== undefined &&
      jsonEqual(known.configuration, configuration) &&
      jsonEqual(contentOf(known.existing, fieldOwner), contentOf(existing, fieldOwner))
    );
  }

  /** Records an apply and its result, if {@link isApplied} does not recognize it. */
  record(owner: string, dependent: string, applied: PlannedApply): void {
    const ofOwner = this.#known.get(owner) ?? new Map<string, PlannedApply>();
    if (isApplied(applied)) {
      ofOwner.delete(dependent);
    } else {
      ofOwner.set(dependent, applied);
    }
    if (ofOwner.size === 0) {
      this.#known.delete(owner);
    } else {
      this.#known.set(owner, ofOwner);
    }
  }

  /** Forgets the dependents of an owner. */
  forget(owner: string): void {
    this.#known.delete(owner);
  }
}

// A write of the status changes the version, and the fields of another manager.
function contentOf(object: DeepReadonly<Stored<KubernetesObject>>, fieldOwner: string): unknown {
  const {
    status: _status,
    metadata,
    ...fields
  } = object as DeepReadonly<Stored<KubernetesObject>> & { status?: unknown };
  const { resourceVersion: _resourceVersion, managedFields = [], ...own } = metadata;
  const { fieldsV1 } = managedFields.find((each) => each.manager === fieldOwner && each.operation === "Apply") ?? {};
  return { ...fields, metadata: own, fieldsV1 };
}
