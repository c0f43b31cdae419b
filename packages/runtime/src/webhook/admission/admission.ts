/**
 * What admission handlers answer with, and how they become webhooks.
 */
export {
  defaulterHandler,
  multiMutatingHandler,
  multiValidatingHandler,
  validatorHandler,
} from "./admission-handlers.ts";
export {
  type AdmissionResponse,
  allowed,
  denied,
  errored,
  patched,
  patchResponse,
  validationResponse,
  withWarnings,
} from "./admission-response.ts";
export {
  type AdmissionEndpoint,
  type AdmissionLogConstructor,
  type AdmissionRole,
  admissionWebhook,
  type AdmissionWebhookOptions,
  defaultLogConstructor,
} from "./admission-webhook.ts";
