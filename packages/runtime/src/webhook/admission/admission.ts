/**
 * What admission handlers answer with, and how they become webhooks.
 */
export * from "./admission-response.ts";
export {
  type AdmissionEndpoint,
  type AdmissionRole,
  admissionWebhook,
  type AdmissionWebhookOptions,
} from "./admission-webhook.ts";
export { defaulterHandler } from "./defaulter.ts";
export { multiMutatingHandler, multiValidatingHandler } from "./multi-handler.ts";
export { validatorHandler } from "./validator.ts";
