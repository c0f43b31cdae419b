/**
 * The embedded API server: {@link createApiServer} makes an {@link ApiServer}, whose parts (authenticators, authorizer, admission plugins,
 * controllers) are factories that get a {@link ServerContext}.
 */
export {
  createCertificateAuthority,
  type CertificateAuthority,
  type ClientCertificateOptions,
  type KeyPair,
  type ServerCertificateOptions,
} from "./cluster/certificate-authority.ts";
export { type Clock, realClock, type Timer } from "./clock/clock.ts";
export {
  type ClusterListener,
  type ClusterListenOptions,
  createEmbeddedCluster,
  type EmbeddedCluster,
  type EmbeddedClusterOptions,
} from "./cluster/embedded-cluster.ts";
export type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from "./pipeline/admission-plugin.ts";
export type { AuthenticationResult, Authenticator } from "./pipeline/authenticator.ts";
export type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "./pipeline/authorizer.ts";
export type { VirtualCreate, VirtualResource } from "./pipeline/virtual-resource.ts";
export type { ResourceCatalog, ServedResource } from "./resources/resource-catalog.ts";
export type { RequestInfo, Verb } from "./request/request-info.ts";
export type { ClientCertificate, ServerRequest } from "./request/server-request.ts";
export type { UserInfo } from "./request/user-info.ts";
export type * from "./server/api-server.ts";
export { createApiServer } from "./server/create-api-server.ts";
export type { AuditEntry, AuditRecord } from "./server/audit.ts";
export type { Fault, FaultMatch, Faults } from "./server/faults.ts";
export type { InProcessController } from "./pipeline/in-process-controller.ts";
export type { InternalClient, ObjectTarget } from "./pipeline/internal-client.ts";
export type { ServerContext } from "./pipeline/server-context.ts";
export type { ApiObject } from "./storage/api-object.ts";
export type { ObjectReader, StoreEvent } from "./storage/object-reader.ts";
