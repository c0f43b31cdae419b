// cspell:ignore CBOR CPUCFS Evented Flagz IPCIDR PLEG Partitionable Portworx Statusz
import { ServerFlagError } from "../errors.ts";

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

/** Checks feature gates of the form `name=true`. Fails: ServerFlagError for an unknown gate, and one that differs from its default. */
export function checkFeatureGates(gates: readonly string[]): void {
  for (const gate of gates) {
    const [name = "", value = ""] = gate.replace(/^kube:/u, "").split("=");
    if (!ON.has(name) && !OFF.has(name)) throw new ServerFlagError(`unknown feature gate "${name}"`);
    if (value !== "true" && value !== "false")
      throw new ServerFlagError(`invalid value "${value}" of the feature gate ${name}`);
    if (ON.has(name) !== (value === "true")) {
      throw new ServerFlagError(
        `cannot set the feature gate ${name} to ${value}: the embedded API server has the defaults of 1.35`,
        {
          hint: "remove the gate, or use the binaries of a real control plane",
        },
      );
    }
  }
}
