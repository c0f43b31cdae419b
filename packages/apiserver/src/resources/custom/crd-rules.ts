import type { JsonSchema } from "@kubescaffold/schema/values";

import type { ApiObject } from "../../storage/api-object.ts";
import type { BuiltInRules } from "../built-in/rules/built-in-rules.ts";
import { loadRuleEngine } from "../rule-engine.ts";
import { withConditions } from "./crd-conditions.ts";
import type { CrdObject, CrdVersion } from "./crd-object.ts";

/** Holds a CRD until its objects are gone. */
export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";

/** Rules of CustomResourceDefinitions beyond their schema. */
export const crdRules: BuiltInRules = {
  // What walks a schema, as the documents of OpenAPI and the compiler of rules do, calls itself for each of its levels.
  mostLevels: 1000,
  generationFields: ["spec"],
  allowsUnconditionalUpdate: false,
  marksPlainly: true,
  checksEveryField: true,
  setDefaults: (object) => setDefaults(object as MutableCrd),
  prepareForCreate: (object) => {
    const crd = object as MutableCrd;
    crd.status = {
      conditions: null as never,
      acceptedNames: { plural: "", kind: "" },
      storedVersions: storageVersions(crd.spec.versions),
    };
  },
  prepareForUpdate: (object, old, { subresource }) => {
    const crd = object as MutableCrd;
    const before = (old as CrdObject).status?.storedVersions ?? [];
    if (subresource === "") {
      const added = storageVersions(crd.spec.versions).filter((name) => !before.includes(name));
      crd.status = { ...crd.status, storedVersions: [...before, ...added] };
    }
  },
  prepareChecks: (object) => loadRuleEngine(schemasOf(object)),
  loadChecks: async () => {
    const [{ crdErrors, crdStatusErrors, crdUpdateErrors }, { schemaWarnings }] = await Promise.all([
      import("./validate-crd.ts"),
      import("./schema-warnings.ts"),
    ]);
    return {
      warnings: (object, old) => schemaWarnings(object as CrdObject, old as CrdObject | undefined),
      validate: (object, _context, old) => crdErrors(object as CrdObject, old as CrdObject | undefined),
      validateUpdate: (object, old) => crdUpdateErrors(object as CrdObject, old as CrdObject),
      validateStatus: (object) => crdStatusErrors(object as CrdObject),
    };
  },
  markForDeletion: (object, { now }) => {
    const finalizers = object.metadata.finalizers ?? [];
    object.metadata.finalizers = finalizers.includes(CLEANUP_FINALIZER)
      ? finalizers
      : [...finalizers, CLEANUP_FINALIZER];
    Object.assign(object, withConditions(object as CrdObject, { conditions: [DELETION_PENDING] }, now));
  },
};

// A definition is not yet checked when this looks at it.
function schemasOf({ spec }: Partial<CrdObject>): readonly JsonSchema[] {
  const versions = Array.isArray(spec?.versions) ? (spec.versions as readonly (CrdVersion | undefined)[]) : [];
  return versions.flatMap((version) => version?.schema?.openAPIV3Schema ?? []);
}

const DELETION_PENDING = {
  type: "Terminating",
  status: "True",
  reason: "InstanceDeletionPending",
  message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
} as const;

interface MutableCrd extends ApiObject {
  spec: {
    names: { singular?: string; kind?: string; listKind?: string };
    versions: CrdVersion[];
    conversion?: { strategy: string; webhook?: { clientConfig?: { service?: { port?: number } } } };
  };
  status?: object;
}

function setDefaults({ spec }: MutableCrd): void {
  if (spec === undefined) {
    return;
  }
  const { names } = spec;
  if (names?.kind !== undefined && names.kind !== "") {
    names.singular ??= names.kind.toLowerCase();
    names.listKind ??= `${names.kind}List`;
  }
  spec.conversion ??= { strategy: "None" };
  const service = spec.conversion.webhook?.clientConfig?.service;
  if (service !== undefined) {
    service.port ??= 443;
  }
}

function storageVersions(versions: readonly CrdVersion[] | undefined): readonly string[] {
  return (versions ?? []).filter(({ storage }) => storage).map(({ name }) => name);
}
