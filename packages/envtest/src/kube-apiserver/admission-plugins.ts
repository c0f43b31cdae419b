import { ServerFlagError } from "../errors.ts";

const SIMULATED: ReadonlySet<string> = new Set([
  "MutatingAdmissionWebhook",
  "NamespaceLifecycle",
  "ValidatingAdmissionWebhook",
]);

// Enabled by default in kube-apiserver 1.35.4.
const DEFAULT: ReadonlySet<string> = new Set([
  ...SIMULATED,
  ...`CertificateApproval CertificateSigning CertificateSubjectRestriction ClusterTrustBundleAttest DefaultIngressClass DefaultStorageClass
  DefaultTolerationSeconds LimitRanger MutatingAdmissionPolicy NodeDeclaredFeatureValidator PersistentVolumeClaimResize PodSecurity PodTopologyLabels
  Priority ResourceQuota RuntimeClass ServiceAccount StorageObjectInUseProtection TaintNodesByCondition ValidatingAdmissionPolicy`.split(
    /\s+/u,
  ),
]);

const OTHERS: ReadonlySet<string> = new Set(
  `AlwaysAdmit AlwaysDeny AlwaysPullImages DenyServiceExternalIPs EventRateLimit ExtendedResourceToleration ImagePolicyWebhook
  LimitPodHardAntiAffinityTopology NamespaceAutoProvision NamespaceExists NodeRestriction OwnerReferencesPermissionEnforcement PodNodeSelector
  PodTolerationRestriction`.split(/\s+/u),
);

// These change nothing: the first admits everything, and the second is part of NamespaceLifecycle.
const HARMLESS: ReadonlySet<string> = new Set(["AlwaysAdmit", "NamespaceExists"]);

/**
 * Checks the names of admission plugins, and returns the names of enabled ones that the server does not simulate, and kube-apiserver has by default.
 *
 * Fails: ServerFlagError for an unknown name, an enabled plugin that is not simulated, and a disabled plugin that is.
 */
export function checkAdmissionPlugins(
  enabled: readonly string[],
  disabled: readonly string[],
): { readonly notSimulated: readonly string[] } {
  for (const name of [...enabled, ...disabled]) {
    if (!DEFAULT.has(name) && !OTHERS.has(name)) throw new ServerFlagError(`unknown admission plugin "${name}"`);
  }
  const missing = enabled.filter((name) => OTHERS.has(name) && !HARMLESS.has(name));
  if (missing.length > 0) {
    throw new ServerFlagError(`cannot enable ${missing.join(", ")}: the embedded API server does not simulate them`, {
      hint: "remove them from --enable-admission-plugins, or use the binaries of a real control plane",
    });
  }
  const fixed = disabled.filter((name) => SIMULATED.has(name));
  if (fixed.length > 0) {
    throw new ServerFlagError(`cannot disable ${fixed.join(", ")}: the embedded API server always runs them`);
  }
  return { notSimulated: enabled.filter((name) => DEFAULT.has(name) && !SIMULATED.has(name)) };
}
