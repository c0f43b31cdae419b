import type { ExtraAdmissionPlugin, OptionalAdmissionPlugin } from "@kubescaffold/apiserver";

import { ServerFlagError } from "../failures/errors.ts";

// The server can run without them.
const OPTIONAL: ReadonlySet<string> = new Set<OptionalAdmissionPlugin>([
  "CertificateApproval",
  "CertificateSigning",
  "CertificateSubjectRestriction",
  "DefaultIngressClass",
  "DefaultStorageClass",
  "LimitRanger",
  "MutatingAdmissionPolicy",
  "PersistentVolumeClaimResize",
  "PodSecurity",
  "Priority",
  "ResourceQuota",
  "RuntimeClass",
]);

const SIMULATED: ReadonlySet<string> = new Set([
  ...OPTIONAL,
  "MutatingAdmissionWebhook",
  "NamespaceLifecycle",
  "ValidatingAdmissionPolicy",
  "ValidatingAdmissionWebhook",
]);

// Enabled by default in kube-apiserver 1.35.4.
const DEFAULT: ReadonlySet<string> = new Set([
  ...SIMULATED,
  ...`ClusterTrustBundleAttest
  DefaultTolerationSeconds NodeDeclaredFeatureValidator PodTopologyLabels
  ServiceAccount StorageObjectInUseProtection TaintNodesByCondition`.split(/\s+/u),
]);

// Those that run where they are enabled.
const EXTRA: readonly ExtraAdmissionPlugin[] = ["NodeRestriction", "OwnerReferencesPermissionEnforcement"];

const OTHERS: ReadonlySet<string> = new Set(
  `AlwaysAdmit AlwaysDeny AlwaysPullImages DenyServiceExternalIPs ExtendedResourceToleration ImagePolicyWebhook
  LimitPodHardAntiAffinityTopology NamespaceAutoProvision NamespaceExists PodNodeSelector PodTolerationRestriction`.split(
    /\s+/u,
  ),
);

// Runs with a configuration alone.
const EVENT_RATE_LIMIT = "EventRateLimit";

// These change nothing: the first admits everything, and the second is part of NamespaceLifecycle.
const HARMLESS: ReadonlySet<string> = new Set(["AlwaysAdmit", "NamespaceExists"]);

/** The meaning of the flags about admission plugins. */
export interface AdmissionPluginFlags {
  readonly notSimulated: readonly string[];
  readonly notRun: readonly OptionalAdmissionPlugin[];
  readonly alsoRun: readonly ExtraAdmissionPlugin[];
  readonly limitsEvents: boolean;
}

/**
 * Checks the names of admission plugins. Returns the enabled ones that the server does not simulate although kube-apiserver has them by default,
 * those that the server must not run, those that it runs although it does not by default, and whether it limits events.
 *
 * Fails: ServerFlagError for an unknown name, an enabled plugin that is not simulated, and a disabled plugin that is.
 */
export function checkAdmissionPlugins(enabled: readonly string[], disabled: readonly string[]): AdmissionPluginFlags {
  const extra: ReadonlySet<string> = new Set([...EXTRA, EVENT_RATE_LIMIT]);
  for (const name of [...enabled, ...disabled]) {
    if (!DEFAULT.has(name) && !OTHERS.has(name) && !extra.has(name))
      throw new ServerFlagError(`unknown admission plugin "${name}"`);
  }
  const missing = enabled.filter((name) => OTHERS.has(name) && !HARMLESS.has(name));
  if (missing.length > 0) {
    throw new ServerFlagError(`cannot enable ${missing.join(", ")}: the embedded API server does not simulate them`, {
      hint: "remove them from --enable-admission-plugins, or use the binaries of a real control plane",
    });
  }
  const fixed = disabled.filter((name) => SIMULATED.has(name) && !OPTIONAL.has(name));
  if (fixed.length > 0) {
    throw new ServerFlagError(`cannot disable ${fixed.join(", ")}: the embedded API server always runs them`);
  }
  return {
    notSimulated: enabled.filter((name) => DEFAULT.has(name) && !SIMULATED.has(name)),
    notRun: disabled.filter((name): name is OptionalAdmissionPlugin => OPTIONAL.has(name)),
    alsoRun: EXTRA.filter((name) => enabled.includes(name) && !disabled.includes(name)),
    limitsEvents: enabled.includes(EVENT_RATE_LIMIT) && !disabled.includes(EVENT_RATE_LIMIT),
  };
}
