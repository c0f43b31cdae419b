/**
 * The webhook that authorizes requests, and the responses of its handlers.
 */
export {
  allowed,
  type AuthorizationContext,
  type AuthorizationHandler,
  type AuthorizationResponse,
  denied,
  errored,
  noOpinion,
} from "./authorization-response.ts";
export { authorizationWebhook, type AuthorizationWebhookOptions } from "./authorization-webhook.ts";
