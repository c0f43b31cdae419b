/** Applies and creates patches of all types but server-side apply. Unlike the main module, this one loads no engine of patterns. */
export {
  InvalidPatchError,
  PatchNotApplicableError,
  PatchTooLargeError,
  PatchTypeError,
  UnresolvedReferenceError,
} from "./model/errors.ts";
export { createJsonMergePatch, createJsonPatch } from "./patch/create-patch.ts";
export { applyJsonMergePatch } from "./patch/json-merge-patch.ts";
export { applyStrategicMergePatch, type StrategicMergeOptions } from "./patch/strategic/apply-strategic-merge-patch.ts";
export { createThreeWayJsonMergePatch } from "./patch/three-way-merge-patch.ts";
export { createStrategicMergePatch } from "./patch/strategic/create-strategic-merge-patch.ts";
