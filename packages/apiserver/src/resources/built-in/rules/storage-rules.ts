import { forbiddenField, invalidField, requiredField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";

import type { ApiObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { setClaimDefaults } from "./pod-spec-defaults.ts";

/** Rules of PersistentVolumeClaims beyond their schema. */
export const claimRules: BuiltInRules = {
  returnsDeletedObject: true,
  setDefaults: (claim) => setClaimDefaults(ensureObject(claim, "spec")),
  prepareForCreate: (claim) => {
    addFinalizer(claim, "kubernetes.io/pvc-protection");
    claim["status"] = { phase: "Pending" };
  },
  validate: (claim) => claimErrors(claim),
  validateUpdate: (claim, old, { subresource }) => (subresource === "" ? claimChangeErrors(claim, old) : []),
};

/** Rules of PersistentVolumes beyond their schema. */
export const volumeRules: BuiltInRules = {
  returnsDeletedObject: true,
  setDefaults: (volume) => {
    const spec = ensureObject(volume, "spec");
    setEmpty(spec, { persistentVolumeReclaimPolicy: "Retain" });
    setAbsent(spec, { volumeMode: "Filesystem" });
    setAbsent(objectIn(spec, "hostPath"), { type: "" });
  },
  prepareForCreate: (volume, { now }) => {
    addFinalizer(volume, "kubernetes.io/pv-protection");
    volume["status"] = { phase: "Pending", lastPhaseTransitionTime: now };
  },
};

/** Rules of StorageClasses beyond their schema. */
export const storageClassRules: BuiltInRules = {
  returnsDeletedObject: true,
  setDefaults: (storageClass) => setEmpty(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  validateUpdate: (storageClass, old) => [
    ...["parameters", "provisioner", "reclaimPolicy"]
      .filter((field) => !deepEqual(storageClass[field], old[field]))
      .map((field) => forbiddenField(field, `updates to ${field} are forbidden.`)),
    ...(storageClass["volumeBindingMode"] === old["volumeBindingMode"]
      ? []
      : [invalidField("volumeBindingMode", storageClass["volumeBindingMode"], "field is immutable")]),
  ],
};

function addFinalizer({ metadata }: ApiObject, finalizer: string): void {
  const finalizers = metadata.finalizers ?? [];
  metadata.finalizers = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
}

function claimErrors(claim: ApiObject): readonly FieldError[] {
  const spec = objectIn(claim, "spec");
  const requests = objectIn(objectIn(spec, "resources"), "requests");
  return [
    ...(textsIn(spec, "accessModes").length === 0
      ? [requiredField("spec.accessModes", "at least 1 access mode is required")]
      : []),
    ...(textIn(requests, "storage") === "" ? [requiredField("spec.resources[storage]")] : []),
  ];
}

const CLAIM_CHANGE =
  "spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims";

function claimChangeErrors(claim: ApiObject, old: ApiObject): readonly FieldError[] {
  return deepEqual(fixedPart(claim), fixedPart(old)) ? [] : [forbiddenField("spec", CLAIM_CHANGE)];
}

function fixedPart(claim: ApiObject): unknown {
  const mutable = ["resources", "volumeAttributesClassName", "volumeName"];
  return Object.fromEntries(Object.entries(objectIn(claim, "spec") ?? {}).filter(([name]) => !mutable.includes(name)));
}
