import { forbiddenField, invalidField, requiredField, type FieldError } from "@kubescaffold/k8s";
import { deepEqual } from "@kubescaffold/schema";

import type { ApiObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textIn, textsIn } from "../../fields.ts";
import type { StrategyContext } from "../../strategy.ts";
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
  validate: (claim, { warn }) => {
    if (claim.metadata.annotations?.[CLASS_ANNOTATION] !== undefined) {
      warn(
        `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      );
    }
    return claimErrors(claim);
  },
  validateUpdate: (claim, old, { subresource }) => (subresource === "" ? claimChangeErrors(claim, old) : []),
};

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** Rules of CSINodes beyond their schema: a node may be without drivers. */
export const csiNodeRules: BuiltInRules = {
  returnsDeletedObject: true,
  checksEveryField: true,
  complete: (node) => {
    const spec = ensureObject(node, "spec");
    if (objectsIn(spec, "drivers").length === 0) spec["drivers"] = null;
  },
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
  prepareForUpdate: (volume, old, { subresource, now }) => {
    const [status, former] = [objectIn(volume, "status"), objectIn(old, "status")];
    const isStated = status?.["lastPhaseTransitionTime"] !== former?.["lastPhaseTransitionTime"];
    const isSame = status?.["phase"] === former?.["phase"];
    if (subresource !== "status" || isSame || (isStated && status?.["lastPhaseTransitionTime"] !== undefined)) return;
    volume["status"] = { ...status, lastPhaseTransitionTime: now };
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

/** Rules of CSIDrivers beyond their schema. */
export const csiDriverRules: BuiltInRules = {
  returnsDeletedObject: true,
  generationFields: ["spec"],
  setDefaults: (driver) => {
    const spec = ensureObject(driver, "spec");
    setAbsent(spec, {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: "ReadWriteOnceWithFSType",
      requiresRepublish: false,
      seLinuxMount: false,
    });
    if (textsIn(spec, "volumeLifecycleModes").length === 0) spec["volumeLifecycleModes"] = ["Persistent"];
  },
  prepareForCreate: (driver, context) => warnOfTokens(driver, context),
  prepareForUpdate: (driver, _old, context) => warnOfTokens(driver, context),
};

function warnOfTokens(driver: ApiObject, { warn }: Pick<StrategyContext, "warn">): void {
  const spec = objectIn(driver, "spec");
  if (objectsIn(spec, "tokenRequests").length > 0 && spec?.["serviceAccountTokenInSecrets"] === undefined)
    warn(
      "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
    );
}

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
  // A claim without a class may get the default one.
  const isAssigned = objectIn(old, "spec")?.["storageClassName"] === undefined;
  const fixed = (object: ApiObject): unknown => fixedPart(object, isAssigned ? ["storageClassName"] : []);
  return deepEqual(fixed(claim), fixed(old)) ? [] : [forbiddenField("spec", CLAIM_CHANGE)];
}

function fixedPart(claim: ApiObject, others: readonly string[]): unknown {
  const mutable = ["resources", "volumeAttributesClassName", "volumeName", ...others];
  return Object.fromEntries(Object.entries(objectIn(claim, "spec") ?? {}).filter(([name]) => !mutable.includes(name)));
}
