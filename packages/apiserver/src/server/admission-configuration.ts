import {
  eventLimits,
  type EventLimit,
  type EventRateLimitOptions,
} from "../admission/event-rate-limit/event-rate-limit-options.ts";
import {
  DEFAULT_CONFIGURATION,
  type PodSecurityConfiguration,
  type PodSecurityOptions,
  readConfiguration,
} from "../admission/pod-security/pod-security-configuration.ts";

/** The configurations of admission plugins, as read. */
export interface AdmissionConfiguration {
  readonly podSecurity: PodSecurityConfiguration;
  /** The limits of events, if there are any. */
  readonly eventLimits: readonly EventLimit[] | undefined;
}

interface AdmissionConfigurationOptions {
  readonly disableAdmissionPlugins?: readonly string[];
  readonly podSecurity?: PodSecurityOptions;
  readonly eventRateLimit?: EventRateLimitOptions;
}

/** Reads the configurations of the plugins that run. Fails: EventRateLimitConfigurationError, PodSecurityConfigurationError. */
export function readAdmissionConfiguration({
  disableAdmissionPlugins = [],
  podSecurity,
  eventRateLimit,
}: AdmissionConfigurationOptions): AdmissionConfiguration {
  const isRead = podSecurity !== undefined && !disableAdmissionPlugins.includes("PodSecurity");
  return {
    podSecurity: isRead ? readConfiguration(podSecurity) : DEFAULT_CONFIGURATION,
    eventLimits: eventRateLimit === undefined ? undefined : eventLimits(eventRateLimit),
  };
}
