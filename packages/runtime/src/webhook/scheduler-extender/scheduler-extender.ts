/**
 * The webhooks of an extender of kube-scheduler: they filter nodes, score them, bind Pods, and choose the victims of preemption.
 */
export {
  type BindingHandler,
  type BindingRequest,
  type ExtenderContext,
  type ExtenderOptions,
  type FilterHandler,
  type FilterResult,
  MAX_SCORE,
  type NodesRequest,
  type PreemptionHandler,
  type PreemptionRequest,
  type PrioritizeHandler,
  type Victims,
} from "./extender-handlers.ts";
export { bindWebhook, filterWebhook, preemptWebhook, prioritizeWebhook } from "./extender-webhooks.ts";
