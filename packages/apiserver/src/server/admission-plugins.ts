import { lazyPlugin } from "../admission/admission-chain.ts";
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from "../admission/certificates/certificate-plugins.ts";
import { defaultIngressClass } from "../admission/default-ingress-class.ts";
import { defaultStorageClass } from "../admission/default-storage-class.ts";
import type { EventRateLimitOptions } from "../admission/event-rate-limit/event-rate-limit-options.ts";
import { eventRateLimit } from "../admission/event-rate-limit/event-rate-limit.ts";
import { limitRanger } from "../admission/limit-ranger/limit-ranger.ts";
import type { PodSecurityOptions } from "../admission/pod-security/pod-security-configuration.ts";
import { podSecurity } from "../admission/pod-security/pod-security.ts";
import { mutatingPolicies } from "../admission/policies/mutating-policies.ts";
import { paramAuthorization } from "../admission/policies/param-authorization.ts";
import { validatingPolicies } from "../admission/policies/validating-policies.ts";
import { podPriority } from "../admission/priority.ts";
import { claimResize, nodeDeclaredFeatures, podResize } from "../admission/resize.ts";
import { resourceQuota } from "../admission/resource-quota/resource-quota.ts";
import { runtimeClass } from "../admission/runtime-class.ts";
import { admissionWebhooks } from "../admission/webhooks/admission-webhooks.ts";
import { escalationGuard } from "../authorization/escalation-guard.ts";
import type { WebhookClient } from "../http/webhook-client.ts";
import type { AdmissionPlugin } from "../pipeline/extension-points.ts";
import type { ReadRequest, RequestSigner } from "../pipeline/request-signer.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { AdmissionConfiguration } from "./admission-configuration.ts";
import type { Factory } from "./api-server.ts";

/** An admission plugin that a cluster can do without. */
export type OptionalAdmissionPlugin =
  | "CertificateApproval"
  | "CertificateSigning"
  | "CertificateSubjectRestriction"
  | "DefaultIngressClass"
  | "DefaultStorageClass"
  | "LimitRanger"
  | "MutatingAdmissionPolicy"
  | "PersistentVolumeClaimResize"
  | "PodSecurity"
  | "Priority"
  | "ResourceQuota"
  | "RuntimeClass";

/**
 * An admission plugin that runs only where it is enabled: `ServiceAccount` gives Pods their service account, which must exist, and a volume with its token
 * (the API server of envtest runs without it, too); `NodeRestriction` restricts kubelets to their own Node and its Pods;
 * `OwnerReferencesPermissionEnforcement` requires the permission to delete an object for changes of its owners.
 */
export type ExtraAdmissionPlugin = "NodeRestriction" | "OwnerReferencesPermissionEnforcement" | "ServiceAccount";

/** The options of a cluster that determine its admission plugins. */
export interface AdmissionOptions {
  /** Admission plugins that do not run. Default: none. */
  readonly disableAdmissionPlugins?: readonly OptionalAdmissionPlugin[];
  /** Admission plugins that run although they do not by default. Default: none. */
  readonly enableAdmissionPlugins?: readonly ExtraAdmissionPlugin[];
  /** The levels of namespaces that do not state them, and what is not checked. Default: `privileged`, and no exemptions. */
  readonly podSecurity?: PodSecurityOptions;
  /** Limits how often events are written, as the plugin EventRateLimit of kube-apiserver. Default: no limits. */
  readonly eventRateLimit?: EventRateLimitOptions;
}

/** The parts of a cluster that its admission plugins use. */
export interface AdmissionParts {
  readonly configuration: AdmissionConfiguration;
  readonly webhookClient: WebhookClient;
  readonly requestSigner: RequestSigner;
}

/** Returns the admission plugins of a cluster, in the order of kube-apiserver; ResourceQuota is the last of all. */
export function admissionPlugins(
  { disableAdmissionPlugins = [], enableAdmissionPlugins = [] }: AdmissionOptions,
  { configuration, webhookClient, requestSigner }: AdmissionParts,
): readonly Factory<AdmissionPlugin>[] {
  const { podSecurity: levels, eventLimits: limits } = configuration;
  const read = requestReader(requestSigner);
  const extra = (name: ExtraAdmissionPlugin, create: Factory<AdmissionPlugin>): readonly Factory<AdmissionPlugin>[] =>
    enableAdmissionPlugins.includes(name) ? [create] : [];
  const optional = (
    name: OptionalAdmissionPlugin,
    create: Factory<AdmissionPlugin>,
  ): readonly Factory<AdmissionPlugin>[] => (disableAdmissionPlugins.includes(name) ? [] : [create]);
  return [
    paramAuthorization,
    ...extra("ServiceAccount", SERVICE_ACCOUNT),
    ...extra("NodeRestriction", nodeRestrictionOf(read)),
    ...optional("LimitRanger", limitRanger),
    ...optional("PodSecurity", (context) => podSecurity(context, levels)),
    ...optional("Priority", podPriority),
    ...(limits === undefined ? [] : [(context: ServerContext) => eventRateLimit(context, limits)]),
    ...optional("DefaultStorageClass", defaultStorageClass),
    ...extra("OwnerReferencesPermissionEnforcement", OWNER_REFERENCES),
    ...optional("PersistentVolumeClaimResize", claimResize),
    ...optional("RuntimeClass", runtimeClass),
    ...optional("CertificateApproval", certificateApproval),
    ...optional("CertificateSigning", certificateSigning),
    ...optional("CertificateSubjectRestriction", () =>
      certificateSubjectRestriction(async (request) => (await read(request)).organizations),
    ),
    ...optional("DefaultIngressClass", defaultIngressClass),
    nodeDeclaredFeatures,
    podResize,
    ...optional("MutatingAdmissionPolicy", mutatingPolicies),
    validatingPolicies,
    (context) => admissionWebhooks(context, webhookClient),
    escalationGuard,
    ...optional("ResourceQuota", resourceQuota),
  ];
}

const SERVICE_ACCOUNT: Factory<AdmissionPlugin> = lazyPlugin("ServiceAccount", async () => {
  const { serviceAccountAdmission } = await import("../admission/service-account/service-account.ts");
  return serviceAccountAdmission;
});

const OWNER_REFERENCES: Factory<AdmissionPlugin> = lazyPlugin("OwnerReferencesPermissionEnforcement", async () => {
  const { ownerReferences } = await import("../admission/owner-references.ts");
  return ownerReferences;
});

type ReadCertificateRequest = (request: string) => Promise<ReadRequest>;

function nodeRestrictionOf(read: ReadCertificateRequest): Factory<AdmissionPlugin> {
  return lazyPlugin("NodeRestriction", async () => {
    const { nodeRestriction } = await import("../admission/node-restriction/node-restriction.ts");
    return (context) => nodeRestriction(context, async (request) => (await read(request)).commonName);
  });
}

// Requests are PEM in base64.
function requestReader(signer: RequestSigner): ReadCertificateRequest {
  return async (request) => {
    const found = await signer.read(Buffer.from(request, "base64").toString("utf8"));
    if (found === undefined) throw new TypeError("PEM block type must be CERTIFICATE REQUEST");
    return found;
  };
}
