/**
 * API servers for tests: an {@link Environment} starts one (inside the process, from local binaries, or an existing cluster),
 * installs definitions and webhook configurations, and creates users.
 */
export type { EnvironmentAuthn, EnvironmentUser } from "./environment/environment-users.ts";
export { DEFAULT_INDEX_URL, setupBinaries, type SetupBinariesOptions } from "./binaries/setup-binaries.ts";
export type { Fetch } from "./binaries/download.ts";
export type { Platform } from "./binaries/release-index.ts";
export { resolveAsset, type AssetName, type AssetOptions } from "./control-plane/assets.ts";
export {
  checkRoundTrips,
  type RoundTripOptions,
  type RoundTrips,
  type VersionedField,
} from "./conversion/check-round-trips.ts";
export { installCrds, uninstallCrds, type CrdInstallOptions } from "./install/install-crds.ts";
export { standInDefinition, type StandInOptions } from "./install/install-crds.ts";
export { eventually, type Eventually } from "./eventually/eventually.ts";
export type { PollingOptions } from "./eventually/polling.ts";
export { Environment } from "./environment/environment.ts";
export type { BackendName, EnvironmentOptions, Variables } from "./environment/environment-options.ts";
export {
  AdmissionNotAskedError,
  AssetMissingError,
  BackendUnsupportedError,
  ControlPlaneStartError,
  ControlPlaneStopError,
  ConversionLossError,
  DownloadError,
  EnvironmentOptionsError,
  EnvironmentStateError,
  EnvironmentTimeoutError,
  EventuallyTimeoutError,
  KubernetesVersionMismatchError,
  ManagerForbiddenError,
  ManifestPathMissingError,
} from "./failures/errors.ts";
export { kubeconfigOf } from "./control-plane/kubeconfig.ts";
export type { ServiceAccountName, ServiceAccountOptions } from "./install/service-accounts.ts";
export { reconcileContext } from "./suite/test-environment.ts";
export {
  projectEnvironment,
  startTestEnvironment,
  startWebhookEnvironment,
  type TestEnvironment,
  type TestEnvironmentOptions,
  type WebhookEnvironment,
} from "./suite/test-environment.ts";
export type { ManagerSetup, TestManager, TestManagerOptions } from "./suite/test-manager.ts";
export { type AdmissionCheckOptions, type AskedOperations, checkAdmission } from "./environment/check-admission.ts";
export { installWebhooks, uninstallWebhooks } from "./webhooks/install-webhooks.ts";
export { waitForWebhooks, type WaitForWebhooksOptions } from "./webhooks/wait-for-webhooks.ts";
export type { WebhookInstallOptions, WebhookServing } from "./install/webhook-serving.ts";
export {
  startDevelopmentCluster,
  type DevelopmentCluster,
  type DevelopmentClusterOptions,
} from "./operator/development-cluster.ts";
export {
  connectDevelopmentCluster,
  type ConnectedCluster,
  type ConnectedClusterOptions,
  InvalidWebhookUrlError,
} from "./operator/connected-cluster.ts";
export { installOperator } from "./operator/install-operator.ts";
