/**
 * The webhook that authenticates tokens, and the responses of its handlers.
 */
export {
  authenticated,
  type AuthenticationContext,
  type AuthenticationHandler,
  type AuthenticationResponse,
  errored,
  reviewResponse,
  unauthenticated,
} from "./authentication-response.ts";
export { authenticationWebhook, type AuthenticationWebhookOptions } from "./authentication-webhook.ts";
