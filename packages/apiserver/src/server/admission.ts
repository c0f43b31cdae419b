import { lazyPlugins } from "../admission/admission-chain.ts";
import type { AdmissionPlugin } from "../pipeline/extension-points.ts";
import { readAdmissionConfiguration } from "./admission-configuration.ts";
import type { AdmissionOptions, AdmissionParts } from "./admission-plugins.ts";
import type { Factory } from "./api-server.ts";

/**
 * Returns the admission of a server, whose plugins are loaded when it is first asked.
 *
 * Fails: EventRateLimitConfigurationError, PodSecurityConfigurationError.
 */
export function admissionOf(
  options: AdmissionOptions,
  parts: Omit<AdmissionParts, "configuration">,
): Factory<AdmissionPlugin> {
  const configuration = readAdmissionConfiguration(options);
  return lazyPlugins("Admission", async () => {
    const { admissionPlugins } = await import("./admission-plugins.ts");
    return admissionPlugins(options, { ...parts, configuration });
  });
}
