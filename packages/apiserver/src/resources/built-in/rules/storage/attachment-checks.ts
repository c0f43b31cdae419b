import type { BuiltInChecks } from "../checks/built-in-checks.ts";
import { volumeAttachmentErrors } from "./storage-kind-errors.ts";
import { attachmentStatusErrors } from "./storage-status-errors.ts";

/** Checks of VolumeAttachments. */
export const attachmentChecks: BuiltInChecks = {
  validate: (attachment, _context, old) => volumeAttachmentErrors(attachment, old),
  validateStatus: (attachment) => attachmentStatusErrors(attachment),
};
