// cspell:ignore algs maxage maxbackup readycheck requestheader vmodule
import { KUBERNETES_MINOR, SUPPORTED_MINORS } from "@kubescaffold/k8s";

/** The flag that selects the minor version of Kubernetes. */
export const KUBERNETES_FLAG = "kubernetes";

/** The values of a flag: `list` is separated by commas and can be repeated, `array` can only be repeated, `map` is a list of `key=value`. */
export type FlagValue = "string" | "list" | "array" | "map" | "boolean" | "integer" | "number" | "duration";

/** A flag of kube-apiserver that the embedded server simulates. */
export interface SimulatedFlag {
  /** The name without dashes. */
  readonly name: string;
  /** The form of its value. */
  readonly value: FlagValue;
  /** The meaning in a few words. */
  readonly help: string;
  /** The value that a server without this flag has. */
  readonly default?: string;
}

/** The flags that have an effect. */
export const SIMULATED_FLAGS: readonly SimulatedFlag[] = [
  {
    name: "admission-control-config-file",
    value: "string",
    help: "AdmissionConfiguration; the configuration of PodSecurity is read",
  },
  { name: "anonymous-auth", value: "boolean", help: "allow requests without credentials", default: "true" },
  { name: "api-audiences", value: "list", help: "audiences of the server", default: "the issuers" },
  { name: "audit-log-path", value: "string", help: "file of the audit log; - is standard output" },
  { name: "audit-policy-file", value: "string", help: "policy of the audit log" },
  {
    name: "audit-webhook-batch-buffer-size",
    value: "integer",
    help: "audit events that wait for a delayed batch",
    default: "10000",
  },
  { name: "audit-webhook-batch-max-size", value: "integer", help: "audit events of a batch", default: "400" },
  {
    name: "audit-webhook-batch-max-wait",
    value: "duration",
    help: "longest interval between two batches",
    default: "30s",
  },
  {
    name: "audit-webhook-batch-throttle-burst",
    value: "integer",
    help: "batches that are sent at once",
    default: "15",
  },
  {
    name: "audit-webhook-batch-throttle-enable",
    value: "boolean",
    help: "limit the rate of batches",
    default: "true",
  },
  { name: "audit-webhook-batch-throttle-qps", value: "number", help: "batches a second", default: "10" },
  { name: "audit-webhook-config-file", value: "string", help: "kubeconfig of the webhook for audit events" },
  {
    name: "audit-webhook-initial-backoff",
    value: "duration",
    help: "wait before the first retry of a batch",
    default: "10s",
  },
  { name: "audit-webhook-mode", value: "string", help: "batch, blocking, or blocking-strict", default: "batch" },
  {
    name: "audit-webhook-version",
    value: "string",
    help: "API version of audit events",
    default: "audit.k8s.io/v1",
  },
  {
    name: "authorization-mode",
    value: "list",
    help: "authorizers in order: Node, RBAC, AlwaysAllow, AlwaysDeny",
    default: "AlwaysAllow",
  },
  { name: "bind-address", value: "string", help: "address to listen on", default: "127.0.0.1" },
  { name: "cert-dir", value: "string", help: "folder of apiserver.crt and apiserver.key, created if missing" },
  { name: "client-ca-file", value: "string", help: "CA certificates that verify client certificates" },
  { name: "disable-admission-plugins", value: "list", help: "admission plugins to disable" },
  { name: "enable-admission-plugins", value: "list", help: "admission plugins to enable" },
  {
    name: "feature-gates",
    value: "map",
    help: "feature gates; CBORServingAndStorage and MutatingAdmissionPolicy can be changed",
  },
  {
    name: "max-mutating-requests-inflight",
    value: "integer",
    help: "limit of concurrent requests that write",
    default: "200",
  },
  { name: "max-requests-inflight", value: "integer", help: "limit of concurrent requests that read", default: "400" },
  {
    name: "request-timeout",
    value: "duration",
    help: "timeout of requests other than watches",
    default: "1m0s",
  },
  {
    name: "runtime-config",
    value: "map",
    help: "default API versions, and v1alpha1 and v1beta1 of admissionregistration.k8s.io",
  },
  { name: "secure-port", value: "integer", help: "HTTPS port; 0 picks a free one", default: "6443" },
  {
    name: "service-account-issuer",
    value: "array",
    help: "issuer of service account tokens, followed by other accepted issuers",
  },
  { name: "service-account-key-file", value: "array", help: "keys that verify service account tokens" },
  {
    name: "service-account-lookup",
    value: "boolean",
    help: "require that the service account exists",
    default: "true",
  },
  { name: "service-account-signing-key-file", value: "string", help: "key that signs service account tokens" },
  {
    name: "service-cluster-ip-range",
    value: "string",
    help: "ranges of Service addresses: one, or one of each IP family",
    default: "10.0.0.0/24",
  },
  {
    name: "service-node-port-range",
    value: "string",
    help: "ports of the nodes that Services can have",
    default: "30000-32767",
  },
  { name: "tls-cert-file", value: "string", help: "serving certificate, with its intermediates" },
  { name: "tls-min-version", value: "string", help: "VersionTLS12 or VersionTLS13", default: "VersionTLS12" },
  { name: "tls-private-key-file", value: "string", help: "key of the serving certificate" },
  { name: "token-auth-file", value: "string", help: 'CSV file of tokens: token,user,uid,"group,group"' },
];

/** The flags that kube-apiserver does not have: they add the rest of a cluster, and files for the programs that use it. */
export const CLUSTER_FLAGS: readonly SimulatedFlag[] = [
  {
    name: KUBERNETES_FLAG,
    value: "string",
    help: `minor version of Kubernetes: ${SUPPORTED_MINORS[0]} to ${SUPPORTED_MINORS.at(-1) ?? ""}`,
    default: KUBERNETES_MINOR,
  },
  {
    name: "controllers",
    value: "boolean",
    help: "run the controllers of kube-controller-manager, and the scheduler",
    default: "false",
  },
  {
    name: "workloads",
    value: "boolean",
    help: "simulate Nodes, and Pods that are ready at once; implies --controllers",
    default: "false",
  },
  { name: "images", value: "string", help: "YAML file of the commands that images run; implies --workloads" },
  { name: "kubeconfig", value: "string", help: "file for an administrator's kubeconfig, removed at the end" },
  { name: "ready-file", value: "string", help: "file for the URL of the ready server, removed at the end" },
  { name: "snapshot", value: "string", help: "folder of a snapshot to start from, which stays unchanged" },
  { name: "save-snapshot", value: "boolean", help: "store all changes in the folder of --snapshot", default: "false" },
];

/**
 * Flags of kube-apiserver that change nothing here: storage is in memory, and there are no kubelets, metrics, or processes to tune.
 * A mark after the name tells booleans, which take no separate value.
 */
export const IGNORED_FLAGS: ReadonlySet<string> = new Set(
  `advertise-address allow-metric-labels allow-metric-labels-manifest allow-privileged? contention-profiling? delete-collection-workers disable-http2-serving?
  disabled-metrics enable-garbage-collector? enable-priority-and-fairness? endpoint-reconciler-type etcd-cafile etcd-certfile etcd-compaction-interval
  etcd-count-metric-poll-period etcd-db-metric-poll-interval etcd-healthcheck-timeout etcd-keyfile etcd-prefix etcd-readycheck-timeout etcd-servers
  etcd-servers-overrides external-hostname goaway-chance http2-max-streams-per-connection kubelet-certificate-authority kubelet-client-certificate
  kubelet-client-key kubelet-preferred-address-types kubelet-timeout lease-reuse-duration-seconds livez-grace-period log-flush-frequency
  log-json-info-buffer-size log-json-split-stream? log-text-info-buffer-size log-text-split-stream? logging-format permit-address-sharing?
  permit-port-sharing? profiling? show-hidden-metrics-for-version shutdown-delay-duration shutdown-send-retry-after?
  shutdown-watch-termination-grace-period storage-backend storage-initialization-timeout storage-media-type v vmodule watch-cache? watch-cache-sizes`.split(
    /\s+/u,
  ),
);

/** Flags of kube-apiserver that are refused, unless they have their default, which is in parentheses unless it is empty. */
export const REFUSED_FLAGS: ReadonlyMap<string, string> = new Map(
  `admission-control aggregator-reject-forwarding-redirect?(true) audit-log-batch-buffer-size(10000)
  audit-log-batch-max-size(1) audit-log-batch-max-wait(0s) audit-log-batch-throttle-burst(0) audit-log-batch-throttle-enable?(false)
  audit-log-batch-throttle-qps(0) audit-log-compress?(false) audit-log-format(json) audit-log-maxage(0) audit-log-maxbackup(0) audit-log-maxsize(0)
  audit-log-mode(blocking) audit-log-truncate-enabled?(false) audit-log-truncate-max-batch-size(10485760)
  audit-log-truncate-max-event-size(102400) audit-log-version(audit.k8s.io/v1) audit-webhook-truncate-enabled?(false) audit-webhook-truncate-max-batch-size(10485760) audit-webhook-truncate-max-event-size(102400)
  authentication-config authentication-token-webhook-cache-ttl(2m0s) authentication-token-webhook-config-file
  authentication-token-webhook-version(v1beta1) authorization-config authorization-policy-file authorization-webhook-cache-authorized-ttl(5m0s)
  authorization-webhook-cache-unauthorized-ttl(30s) authorization-webhook-config-file authorization-webhook-version(v1beta1)
  coordinated-leadership-lease-duration(15s) coordinated-leadership-renew-deadline(10s) coordinated-leadership-retry-period(2s) cors-allowed-origins
  debug-socket-path default-not-ready-toleration-seconds(300) default-unreachable-toleration-seconds(300) egress-selector-config-file emulated-version
  emulation-forward-compatible?(false) enable-aggregator-routing?(false) enable-bootstrap-token-auth?(false) enable-logs-handler?(false)
  encryption-provider-config encryption-provider-config-automatic-reload?(false) event-ttl(1h0m0s) kubernetes-service-node-port(0)
  max-connection-bytes-per-sec(0) min-compatibility-version min-request-timeout(1800) oidc-ca-file oidc-client-id oidc-groups-claim oidc-groups-prefix
  oidc-issuer-url oidc-required-claim oidc-signing-algs(RS256) oidc-username-claim(sub) oidc-username-prefix peer-advertise-ip peer-advertise-port
  peer-ca-file proxy-client-cert-file proxy-client-key-file requestheader-allowed-names requestheader-client-ca-file requestheader-extra-headers-prefix
  requestheader-group-headers requestheader-uid-headers requestheader-username-headers runtime-config-emulation-forward-compatible?(false)
  service-account-extend-token-expiration?(true) service-account-jwks-uri service-account-max-token-expiration(0s) service-account-signing-endpoint
  strict-transport-security-directives tls-cipher-suites tls-curve-preferences tls-sni-cert-key tracing-config-file`
    .split(/\s+/u)
    .map((entry) => {
      const [name = "", rest = ""] = entry.split("(");
      return [name, rest.replace(")", "")];
    }),
);

/** The minor versions that some flags of kube-apiserver came with; all others are those of each supported version. */
export const NEW_FLAGS: ReadonlyMap<string, `1.${number}`> = new Map([
  ["min-compatibility-version", "1.35"],
  ["tls-curve-preferences", "1.36"],
]);
