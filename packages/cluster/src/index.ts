/**
 * A Kubernetes cluster in this process: {@link createEmbeddedCluster} makes an {@link EmbeddedCluster} of an API server, its users and certificates,
 * controllers, a scheduler, and simulated nodes and containers.
 */
export {
  createCertificateAuthority,
  type CertificateAuthority,
  type ClientCertificateOptions,
  type KeyPair,
  type ServerCertificateOptions,
} from "./cluster/certificate-authority.ts";
export type { AggregatedServer } from "./cluster/aggregated-servers.ts";
export type { ClusterListener, ClusterListenOptions } from "./cluster/cluster-listener.ts";
export {
  createEmbeddedCluster,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
  type GatedVersion,
  type ServiceAccountTokenOptions,
  type TokenUser,
} from "./cluster/embedded-cluster.ts";
export type { ClusterMetric, ClusterMetrics, PodMetricValue } from "./controllers/autoscaling/cluster-metrics.ts";
export { ContainerConnectionError } from "./kubelet/containers/connection-error.ts";
export type {
  ContainerPorts,
  ContainerProcess,
  DnsRecordType,
  ExecProcess,
  ImageDefinition,
  Images,
  MainProcess,
  PortOptions,
  PortProtocol,
} from "./kubelet/containers/image-definitions.ts";
export { PodFaultError, type PodFault, type PodMatch, type SimulatedPods } from "./kubelet/containers/pod-faults.ts";
