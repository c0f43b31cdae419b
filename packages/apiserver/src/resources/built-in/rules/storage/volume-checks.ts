import { objectIn } from "../../../fields.ts";
import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { claimSpecErrors } from "../pod/claim-spec-errors.ts";
import { claimWarnings, volumeObjectWarnings } from "../warnings/storage-warnings.ts";
import { claimChangeErrors } from "./claim-change-errors.ts";
import { volumeAttachmentErrors } from "./storage-kind-errors.ts";
import { attachmentStatusErrors, claimStatusErrors } from "./storage-status-errors.ts";
import { mountOptionErrors, volumeChangeErrors, volumeSpecErrors } from "./volume-errors.ts";

/** Checks of PersistentVolumeClaims. */
export const claimChecks: BuiltInChecks = {
  validate: (claim) => claimSpecErrors(objectIn(claim, "spec") ?? {}, "spec"),
  validateUpdate: (claim, old, { subresource }) => (subresource === "" ? claimChangeErrors(claim, old) : []),
  validateStatus: (claim) => claimStatusErrors(claim),
  warnings: (claim) => claimWarnings(claim),
};

/** Checks of PersistentVolumes. */
export const volumeChecks: BuiltInChecks = {
  validate: (volume) => [
    ...volumeSpecErrors(objectIn(volume, "spec") ?? {}, "spec", { name: volume.metadata.name ?? "", isInline: false }),
    ...mountOptionErrors(volume),
  ],
  warnings: (volume) => volumeObjectWarnings(volume),
  validateUpdate: (volume, old, { subresource }) => (subresource === "" ? volumeChangeErrors(volume, old) : []),
};

/** Checks of VolumeAttachments. */
export const attachmentChecks: BuiltInChecks = {
  validate: (attachment, _context, old) => volumeAttachmentErrors(attachment, old),
  validateStatus: (attachment) => attachmentStatusErrors(attachment),
};
