import type { ExtraAdmissionPlugin, OptionalAdmissionPlugin, ServerRelease } from "@kubescaffold/apiserver";

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

// Enabled by default in each supported version of kube-apiserver.
const DEFAULT: ReadonlySet<string> = new Set([
  ...SIMULATED,
  ...`ClusterTrustBundleAttest
  DefaultTolerationSeconds PodTopologyLabels
  ServiceAccount StorageObjectInUseProtection TaintNodesByCondition`.split(/\s+/u),
]);

// Enabled by default in some versions: from one on, and until another.
const VERSIONED: ReadonlyMap<string, { readonly first: `1.${number}`; readonly gone?: `1.${number}` }> = new Map([
  ["NodeDeclaredFeatureValidator", { first: "1.35" }],
  ["PodGroupProtection", { first: "1.36" }],
  ["PodResizeValidator", { first: "1.36" }],
  ["JobValidation", { first: "1.36", gone: "1.37" }],
  ["PodGroupWorkloadExists", { first: "1.36", gone: "1.37" }],
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
 * Checks the names of admission plugins of a release. Returns the enabled ones that the server does not simulate although kube-apiserver has them by default,
 * those that the server must not run, those that it runs although it does not by default, and whether it limits events.
 *
 * Fails: ServerFlagError for an unknown name, an enabled plugin that is not simulated, and a disabled plugin that is.
 */
export function checkAdmissionPlugins(
  { enabled, disabled }: { readonly enabled: readonly string[]; readonly disabled: readonly string[] },
  release: ServerRelease,
): AdmissionPluginFlags {
  const isDefault = (name: string): boolean => DEFAULT.has(name) || isDefaultIn(release, name);
  const extra: ReadonlySet<string> = new Set([...EXTRA, EVENT_RATE_LIMIT]);
  for (const name of [...enabled, ...disabled]) {
    if (isDefault(name) || OTHERS.has(name) || extra.has(name)) continue;
    throw new ServerFlagError(`unknown admission plugin "${name}"`, {
      hint: `remove the plugin, which kube-apiserver ${release.minor} does not have either`,
    });
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
    notSimulated: enabled.filter((name) => isDefault(name) && !SIMULATED.has(name)),
    notRun: disabled.filter((name): name is OptionalAdmissionPlugin => OPTIONAL.has(name)),
    alsoRun: EXTRA.filter((name) => enabled.includes(name) && !disabled.includes(name)),
    limitsEvents: enabled.includes(EVENT_RATE_LIMIT) && !disabled.includes(EVENT_RATE_LIMIT),
  };
}

function isDefaultIn(release: ServerRelease, name: string): boolean {
  const versions = VERSIONED.get(name);
  return (
    versions !== undefined &&
    release.since(versions.first) &&
    (versions.gone === undefined || !release.since(versions.gone))
  );
}
