import { objectIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { claimSpecErrors } from "../pod/claim-spec-errors.ts";
import { claimChangeErrors } from "./claim-change-errors.ts";
import { claimStatusErrors } from "./storage-status-errors.ts";
import { volumeChangeErrors, volumeSpecErrors } from "./volume-errors.ts";

/** Checks of PersistentVolumeClaims. */
export const claimChecks: BuiltInChecks = {
  validate: (claim, { warn }) => {
    if (claim.metadata.annotations?.[CLASS_ANNOTATION] !== undefined) {
      warn(
        `metadata.annotations[${CLASS_ANNOTATION}]: deprecated since v1.8; use "storageClassName" attribute instead`,
      );
    }
    return claimSpecErrors(objectIn(claim, "spec") ?? {}, "spec");
  },
  validateUpdate: (claim, old, { subresource }) => (subresource === "" ? claimChangeErrors(claim, old) : []),
  validateStatus: (claim) => claimStatusErrors(claim),
};

const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";

/** Checks of PersistentVolumes. */
export const volumeChecks: BuiltInChecks = {
  validate: (volume) =>
    volumeSpecErrors(objectIn(volume, "spec") ?? {}, "spec", { name: volume.metadata.name ?? "", isInline: false }),
  validateUpdate: (volume, old, { subresource }) => (subresource === "" ? volumeChangeErrors(volume, old) : []),
};
