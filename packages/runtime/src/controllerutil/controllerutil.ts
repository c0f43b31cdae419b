/** What reconcilers need again and again: owner references, finalizers, and bringing an object into a wished state. */
export {
  createOrPatch,
  createOrUpdate,
  type Mutate,
  type Operation,
  type OperationResult,
} from "./create-or-update.ts";
export { addFinalizer, containsFinalizer, removeFinalizer } from "./object-finalizers.ts";
export {
  hasControllerReference,
  hasOwnerReference,
  removeControllerReference,
  removeOwnerReference,
  setControllerReference,
  setOwnerReference,
  type OwnerReferenceOptions,
} from "./owner-references.ts";
