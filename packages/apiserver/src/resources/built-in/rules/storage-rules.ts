import { isEnabled } from "../../../release/rule-release.ts";
import type { ApiObject } from "../../../storage/api-object.ts";
import { ensureObject, objectIn, objectsIn, setAbsent, setEmpty, textsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";
import { setClaimDefaults } from "./pod-spec-defaults.ts";
import { normalizeDataSources } from "./storage/claim-sources.ts";

/** Rules of PersistentVolumeClaims beyond their schema. */
export const claimRules: BuiltInRules = {
  returnsDeletedObject: true,
  setDefaults: (claim) => {
    setClaimDefaults(ensureObject(claim, "spec"));
    const status = ensureObject(claim, "status");
    setEmpty(status, { phase: "Pending" });
    if (!isEnabled("CSIVolumeHealth")) delete status["healthStatus"];
  },
  complete: (claim) => {
    for (const field of ["dataSource", "dataSourceRef"]) {
      const reference = objectIn(objectIn(claim, "spec"), field);
      if (reference !== undefined) reference["apiGroup"] ??= null;
    }
  },
  prepareForCreate: (claim) => {
    addFinalizer(claim, "kubernetes.io/pvc-protection");
    claim["status"] = { phase: "Pending" };
    normalizeDataSources(claim);
  },
  prepareForUpdate: (claim, old, { subresource }) => {
    if (subresource === "") normalizeDataSources(claim, old);
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { claimChecks } = await import("./storage/volume-checks.ts");
    return claimChecks;
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
    setEmpty(ensureObject(volume, "status"), { phase: "Pending" });
  },
  prepareForCreate: (volume, { now }) => {
    addFinalizer(volume, "kubernetes.io/pv-protection");
    volume["status"] = { phase: "Pending", lastPhaseTransitionTime: now };
  },
  prepareForUpdate: (volume, old, { subresource, now }) => {
    if (subresource !== "status") return;
    const [status, former] = [objectIn(volume, "status"), objectIn(old, "status")];
    const [time, formerTime] = [status?.["lastPhaseTransitionTime"], former?.["lastPhaseTransitionTime"]];
    const isSame = status?.["phase"] === former?.["phase"];
    if (time !== undefined && (isSame || time !== formerTime)) return;
    const next = isSame ? formerTime : now;
    if (next !== undefined) volume["status"] = { ...status, lastPhaseTransitionTime: next };
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { volumeChecks } = await import("./storage/volume-checks.ts");
    return volumeChecks;
  },
};

/** Rules of StorageClasses beyond their schema. */
export const storageClassRules: BuiltInRules = {
  returnsDeletedObject: true,
  setDefaults: (storageClass) => setAbsent(storageClass, { reclaimPolicy: "Delete", volumeBindingMode: "Immediate" }),
  checksEveryField: true,
  loadChecks: async () => {
    const { storageClassChecks } = await import("./storage/storage-kind-errors.ts");
    return storageClassChecks;
  },
};

/** Rules of CSIDrivers beyond their schema. */
export const csiDriverRules: BuiltInRules = {
  allowsUnconditionalUpdate: false,
  startsWithoutGeneration: true,
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
    if (isEnabled("VolumeLimitScaling")) setAbsent(spec, { preventPodSchedulingIfMissing: false });
    else delete spec["preventPodSchedulingIfMissing"];
    if (!isEnabled("CSIServiceAccountTokenSecrets")) delete spec["serviceAccountTokenInSecrets"];
    if (!isEnabled("MutableCSINodeAllocatableCount")) delete spec["nodeAllocatableUpdatePeriodSeconds"];
    if (textsIn(spec, "volumeLifecycleModes").length === 0) spec["volumeLifecycleModes"] = ["Persistent"];
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { csiDriverChecks } = await import("./storage/storage-kind-errors.ts");
    return csiDriverChecks;
  },
};

/** Rules of CSINodes beyond their schema. */
export const csiNodeRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  allowsUnconditionalUpdate: false,
  setDefaults: (node) => {
    if (!isEnabled("CSIVolumeHealth")) delete objectIn(node, "status")?.["storageHealth"];
  },
  complete: (node) => {
    const spec = ensureObject(node, "spec");
    const drivers = objectsIn(spec, "drivers");
    if (drivers.length === 0) spec["drivers"] = null;
    for (const driver of drivers) driver["topologyKeys"] ??= null;
  },
  returnsDeletedObject: true,
  checksEveryField: true,
  loadChecks: async () => {
    const { csiNodeErrors } = await import("./storage/storage-kind-errors.ts");
    return { validate: (node, _context, old) => csiNodeErrors(node, old) };
  },
};

/** Rules of VolumeAttachments beyond their schema. */
export const volumeAttachmentRules: BuiltInRules = {
  keepsMetadataForStatus: true,
  prepareForUpdate: (attachment, old, { subresource }) => {
    if (subresource !== "status" || isEnabled("MutableCSINodeAllocatableCount")) return;
    for (const name of ["attachError", "detachError"]) {
      const former = objectIn(objectIn(old, "status"), name)?.["errorCode"];
      if (former === undefined) delete objectIn(objectIn(attachment, "status"), name)?.["errorCode"];
    }
  },
  allowsUnconditionalUpdate: false,
  returnsDeletedObject: true,
  checksEveryField: true,
  loadChecks: async () => {
    const { attachmentChecks } = await import("./storage/volume-checks.ts");
    return attachmentChecks;
  },
};

/** Rules of CSIStorageCapacities beyond their schema. */
export const storageCapacityRules: BuiltInRules = {
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  loadChecks: async () => {
    const { storageCapacityChecks } = await import("./storage/storage-kind-errors.ts");
    return storageCapacityChecks;
  },
};

/** Rules of VolumeAttributesClasses beyond their schema. */
export const attributesClassRules: BuiltInRules = {
  prepareForCreate: (object) => addFinalizer(object, "kubernetes.io/vac-protection"),
  checksEveryField: true,
  loadChecks: async () => {
    const { attributesClassErrors } = await import("./storage/storage-kind-errors.ts");
    return { validate: (object, _context, old) => attributesClassErrors(object, old) };
  },
};

function addFinalizer({ metadata }: ApiObject, finalizer: string): void {
  const finalizers = metadata.finalizers ?? [];
  metadata.finalizers = finalizers.includes(finalizer) ? finalizers : [...finalizers, finalizer];
}

/** Rules of StorageVersionMigrations beyond their schema. */
export const storageMigrationRules: BuiltInRules = {
  allowsUnconditionalUpdate: false,
  keepsMetadataForStatus: true,
  checksEveryField: true,
  loadChecks: async () => {
    const { storageMigrationChecks } = await import("./storage/storage-migration-errors.ts");
    return storageMigrationChecks;
  },
};
