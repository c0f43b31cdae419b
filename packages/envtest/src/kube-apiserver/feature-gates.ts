// cspell:ignore CBOR CPUCFS Evented Flagz IPCIDR PLEG Partitionable Portworx Statusz
import type { FeatureGates } from "@kubescaffold/apiserver";
import { KUBERNETES_MINOR } from "@kubescaffold/k8s";

import { ServerFlagError } from "../failures/errors.ts";

// The feature gates of kube-apiserver 1.35.4 and their defaults.
const ON: ReadonlySet<string> = new Set(
  `APIResponseCompression APIServerIdentity AllowParsingUserUIDFromCertAuth AuthorizePodWebsocketUpgradeCreatePermission CPUManagerPolicyBetaOptions
  CSIServiceAccountTokenSecrets ClearingNominatedNodeNameAfterBinding ContainerCheckpoint ContainerRestartRules ContextualLogging DRAAdminAccess
  DRAPrioritizedList DRAResourceClaimDeviceStatus DRASchedulerFilterTimeout DeclarativeValidation DeploymentReplicaSetTerminatingReplicas
  DetectCacheInconsistency DisableCPUQuotaWithExclusiveCPUs EnvFiles ExternalServiceAccountTokenSigner GracefulNodeShutdown
  GracefulNodeShutdownBasedOnPodPriority HPAConfigurableTolerance HostnameOverride ImageVolume InOrderInformers InOrderInformersBatchProcess
  KubeletCrashLoopBackOffMax KubeletEnsureSecretPulledImages KubeletFineGrainedAuthz KubeletPSI KubeletPodResourcesDynamicResources
  KubeletPodResourcesGet KubeletSeparateDiskGC KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot LoggingBetaOptions
  MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge MutableCSINodeAllocatableCount NominatedNodeNameForExpectation
  OpenAPIEnums OpportunisticBatching PodDeletionCost PodLevelResources PodReadyToStartContainersCondition PodTopologyLabelsAdmission
  PortForwardWebsockets PreventStaticPodAPIReferences ProcMountType ReloadKubeletServerCertificateFile RemoteRequestHeaderUID
  RotateKubeletServerCertificate SELinuxChangePolicy SELinuxMountReadWriteOncePod SchedulerAsyncPreemption SchedulerPopFromBackoffQ
  ServiceAccountNodeAudienceRestriction SizeBasedListCostEstimate StatefulSetSemanticRevisionComparison StorageVersionHash
  StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics TokenRequestServiceAccountUIDValidation
  TopologyManagerPolicyBetaOptions TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation UserNamespacesSupport WatchList
  WatchListClient WindowsGracefulNodeShutdown`.split(/\s+/u),
);

const OFF: ReadonlySet<string> = new Set(
  `APIServingWithRoutine AllAlpha AllBeta AllowUnsafeMalformedObjectDeletion CBORServingAndStorage CPUManagerPolicyAlphaOptions
  CRDObservedGenerationTracking CSIVolumeHealth ClientsAllowCBOR ClientsPreferCBOR CloudControllerManagerWatchBasedRoutesReconciliation
  CloudControllerManagerWebhook ClusterTrustBundle ClusterTrustBundleProjection ComponentFlagz ComponentStatusz ConcurrentWatchObjectDecode
  ConstrainedImpersonation ContainerStopSignals CoordinatedLeaderElection CrossNamespaceVolumeDataSource CustomCPUCFSQuotaPeriod DRAConsumableCapacity
  DRADeviceBindingConditions DRADeviceTaintRules DRADeviceTaints DRAExtendedResource DRAPartitionableDevices DeclarativeValidationTakeover EventedPLEG
  GangScheduling GenericWorkload HPAScaleToZero InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScalingExclusiveCPUs
  InPlacePodVerticalScalingExclusiveMemory InTreePluginPortworxUnregister KubeletInUserNamespace LocalStorageCapacityIsolationFSQuotaMonitoring
  LoggingAlphaOptions MaxUnavailableStatefulSet MemoryQoS MutablePVNodeAffinity MutablePodResourcesForSuspendedJobs
  MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy NodeDeclaredFeatures NodeLogQuery PodAndContainerStatsFromCRI
  PodCertificateRequest PodLogsQuerySplitStreams QOSReserved ReduceDefaultCrashLoopBackOffDecay RelaxedServiceNameValidation ResourceHealthStatus
  RestartAllContainersOnContainerExits RuntimeClassInImageCriApi SELinuxMount SchedulerAsyncAPICalls StorageCapacityScoring StorageVersionAPI
  StorageVersionMigrator StrictIPCIDRValidation TaintTolerationComparisonOperators TopologyManagerPolicyAlphaOptions
  UnknownVersionInteroperabilityProxy UserNamespacesHostNetworkSupport VolumeLimitScaling WatchCacheInitializationPostStartHook
  WindowsCPUAndMemoryAffinity`.split(/\s+/u),
);

// The gates that can differ from their default.
const SIMULATED: readonly (keyof FeatureGates)[] = ["CBORServingAndStorage", "MutatingAdmissionPolicy"];

/**
 * Reads feature gates of the form `name=true`; the last value of a gate counts.
 *
 * Fails: ServerFlagError for an unknown gate, and one that differs from its default and is not simulated.
 */
export function readFeatureGates(gates: readonly string[]): FeatureGates {
  const stated: Partial<Record<keyof FeatureGates, boolean>> = {};
  for (const gate of gates) {
    const [name = "", value = ""] = gate.replace(/^kube:/u, "").split("=");
    if (!ON.has(name) && !OFF.has(name)) throw new ServerFlagError(`unknown feature gate "${name}"`);
    if (value !== "true" && value !== "false")
      throw new ServerFlagError(`invalid value "${value}" of the feature gate ${name}`);
    const simulated = SIMULATED.find((each) => each === name);
    if (simulated !== undefined) {
      stated[simulated] = value === "true";
    } else if (ON.has(name) !== (value === "true")) {
      throw new ServerFlagError(
        `cannot set the feature gate ${name} to ${value}: the embedded API server has the defaults of ${KUBERNETES_MINOR}`,
        {
          hint: "remove the gate, or use the binaries of a real control plane",
        },
      );
    }
  }
  return stated;
}
