import { randomBytes } from "node:crypto";

import {
  admissionOf,
  accessReviews,
  ADMIN,
  type AdmissionOptions,
  type ApiServer,
  type ApiServerOptions,
  type AuditOptions,
  authenticationReviews,
  assembleServer,
  type AuthorizationMode,
  authorizerOf,
  bootstrapObjects,
  bootstrapPolicy,
  clientCertificates,
  controllerServiceAccounts,
  type ControlPlaneComponent,
  familyOf,
  type FeatureGates,
  flowClassifier,
  FRONT_PROXY_USER,
  issuerDocument,
  type JsonObject,
  loadOnce,
  type ObjectHistoryLimits,
  type ObjectVersions,
  pemKeys,
  persistedSecret,
  podBindings,
  podEvictions,
  type PodStreams,
  type PortRange,
  PublishedValue,
  readServiceRanges,
  type RecordedObject,
  type Release,
  type RequestLimits,
  type RequestSigner,
  restoredSecret,
  secretKey,
  selectedRelease,
  selfSubjectRulesReview,
  serverAddress,
  type ServerBase,
  type ServerContext,
  type ServiceAccountKeys,
  serviceAccounts,
  ServiceAccountTokenSigner,
  serviceNetwork,
  type ServiceResolver,
  StaticTokens,
  SYSTEM_PRIORITY_CLASSES,
  tokenRequests,
  type UserInfo,
  WebhookClient,
  withServerBase,
} from "@kubescaffold/apiserver/cluster-api";
import { type RestConfig, toTime } from "@kubescaffold/k8s";
import type { Descriptions } from "@kubescaffold/k8s/tables";
import { realClock, type Clock } from "@kubescaffold/platform/clock";

import { type ClusterMetrics, MetricStore } from "../controllers/autoscaling/cluster-metrics.ts";
import type { Images } from "../kubelet/containers/image-definitions.ts";
import type { SimulatedPods } from "../kubelet/containers/pod-faults.ts";
import { serviceAddress } from "../kubelet/containers/service-connections.ts";
import { firstNode } from "../kubelet/node-defaults.ts";
import {
  type AggregatedServer,
  aggregatedApiServices,
  type Aggregation,
  createAggregation,
  metricsApi,
} from "./aggregated-servers.ts";
import { createCertificateAuthority, type CertificateAuthority } from "./certificate-authority.ts";
import { ClusterContainers } from "./cluster-containers.ts";
import { CONTROLLER_POLICIES, type ControllerParts, controllersOf } from "./cluster-controllers.ts";
import { type ClusterListener, type ClusterListenOptions, listenCluster, ServerPlace } from "./cluster-listener.ts";
import { containerSurroundings } from "./container-surroundings.ts";

const ADMIN_GROUPS = ["system:masters"];

/** Options of an embedded cluster. */
export interface EmbeddedClusterOptions extends AdmissionOptions {
  /**
   * The minor version of Kubernetes that the cluster is: 1.34 to 1.37. A version such as `1.36.2` selects its minor version, and `latest` the newest.
   * Default: that of the variable `KUBESCAFFOLD_KUBERNETES_VERSION`, otherwise 1.37.
   */
  readonly kubernetesVersion?: string;
  /** The time of the server and its controllers. Default: the system clock. */
  readonly clock?: Clock;
  /**
   * Determines uids and generated names, so that the same requests lead to the same state in each run on the same clock; addresses are the lowest free ones
   * anyway. It is not for secrets: tokens and certificates stay random. Default: all are random.
   */
  readonly seed?: string | number;
  /** Runs the controllers of namespaces, garbage collection, and service accounts. Default: true. */
  readonly lifecycleControllers?: boolean;
  /**
   * Runs the controllers of workloads and the scheduler. Without a simulation, there are no Nodes, and Pods stay pending, as in a control plane without
   * kubelets. Default: as `workloadSimulation`, which needs them.
   */
  readonly workloadControllers?: boolean;
  /** Simulates workloads: Deployments and StatefulSets get Pods that become ready, Jobs and CronJobs run. Default: false. */
  readonly workloadSimulation?: boolean;
  /**
   * Finds the process that serves a Service, for webhooks and APIServices that name one. Default: the external name of the Service, or a simulated
   * container that listens on the target port of a ready Pod.
   */
  readonly resolveService?: ServiceResolver;
  /** API servers in this process, whose group versions the cluster serves beside its own. Default: none. */
  readonly aggregatedServers?: readonly AggregatedServer[];
  /** Changes of each resource that are kept for watches from an earlier resourceVersion. Default: 10000. */
  readonly historyLimit?: number;
  /** The interval of bookmarks in watches that request them. Default: 1 minute. */
  readonly bookmarkIntervalMs?: number;
  /** Records who changed what, for {@link EmbeddedCluster.history}; the versions of objects stay in memory, within limits. Default: false. */
  readonly recordHistory?: boolean | ObjectHistoryLimits;
  /** Logs requests, as the audit log of kube-apiserver. Default: none. */
  readonly audit?: AuditOptions;
  /** The first mode that allows a request decides; members of `system:masters` are always allowed. Default: Node, RBAC. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /** Whether requests without credentials are `system:anonymous` (default) or fail with 401. */
  readonly allowAnonymous?: boolean;
  /** Users that have a bearer token from the start. */
  readonly tokens?: readonly TokenUser[];
  /** Issuer, audiences, and lifetime of the tokens of service accounts. */
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  /**
   * Group versions that are served although they are not by default, as with `--runtime-config` of kube-apiserver. Default: those that the feature
   * gates are about.
   */
  readonly gatedVersions?: readonly GatedVersion[];
  /**
   * The range that Services get addresses from, or one of each family, with the default family first, as `--service-cluster-ip-range` of kube-apiserver.
   * Simulated Pods and Nodes have an address of each family. Default: `10.0.0.0/24`.
   */
  readonly serviceRanges?: readonly string[];
  /** The ports of the nodes that Services can have, as `--service-node-port-range` of kube-apiserver. Default: 30000 to 32767. */
  readonly nodePortRange?: PortRange;
  /** The limits of concurrent requests and of their duration. */
  readonly requestLimits?: RequestLimits;
  /** Features that are not served by default. */
  readonly featureGates?: FeatureGates;
  /**
   * The folder that the state is loaded from and stored in, with the secret of service account tokens; created if absent, and used by one
   * cluster at a time. Only the user of the process can read it. Default: the state is in memory only.
   */
  readonly persist?: string;
  /**
   * A folder that a cluster with `persist` has left, to start with its objects and its secret of service account tokens; it is read, and never changed,
   * so that each of several clusters starts from the same state. Default: none.
   */
  readonly restoreFrom?: string;
  /** Reads the descriptions of built-in types, which `kubectl explain` prints, on first use. Default: there are none. */
  readonly descriptions?: () => Promise<Descriptions | undefined>;
}

/** A group version that is not served by default; both have MutatingAdmissionPolicies. */
export type GatedVersion = "admissionregistration.k8s.io/v1alpha1" | "admissionregistration.k8s.io/v1beta1";

/** A user with a bearer token. */
export interface TokenUser extends UserInfo {
  /** The token, which is valid as long as the server runs. */
  readonly token: string;
}

/** Options of the tokens of service accounts. */
export interface ServiceAccountTokenOptions {
  /** The keys that sign and verify tokens. Default: a secret of this process, so that other servers do not accept them. */
  readonly keys?: ServiceAccountKeys;
  /** The issuer of new tokens, then others whose tokens are accepted. Default: `https://kubernetes.default.svc.cluster.local`. */
  readonly issuers?: readonly string[];
  /** The audiences of the server. Default: the issuers. */
  readonly audiences?: readonly string[];
}

/**
 * An embedded API server with the parts of a cluster: users, RBAC, service accounts, webhooks, and controllers.
 *
 * The controllers run in it as their own service accounts; an administrator is a member of `system:masters`.
 */
export interface EmbeddedCluster {
  /** The API server. */
  readonly server: ApiServer;
  /** The behavior of images, which containers run when workloads are simulated. */
  readonly images: Images;
  /** The faults of Pods, when workloads are simulated. */
  readonly pods: SimulatedPods;
  /** The metrics that HorizontalPodAutoscalers read. */
  readonly metrics: ClusterMetrics;
  /** The config of an administrator in this process, without a socket. */
  readonly config: RestConfig;
  /** The CA that signs certificates for the server, users, and webhooks; created on first use. */
  certificateAuthority(): Promise<CertificateAuthority>;
  /** Serves the cluster on a socket. */
  listen(options?: ClusterListenOptions): Promise<ClusterListener>;
  /**
   * Returns the versions of an object, and who wrote each; the object is found by its `metadata.uid`, also after its deletion.
   *
   * Fails: `HistoryNotRecordedError` without the option `recordHistory`.
   */
  history(object: RecordedObject): ObjectVersions;
  /** Creates a token for a user and returns the user's config, based on `from` (default: the in-process config). */
  addUser(user: { readonly name: string; readonly groups?: readonly string[] }, from?: RestConfig): RestConfig;
  /** Stops controllers, watches, and listeners. */
  close(): Promise<void>;
}

/**
 * Creates a cluster; nothing listens until {@link EmbeddedCluster.listen}.
 *
 * Fails: `StateLockedError`, `CorruptStateError`, and `NewerStateError` for the folder of `persist` or `restoreFrom`; `KubernetesVersionError`,
 * `EventRateLimitConfigurationError`, `PodSecurityConfigurationError`, and `ServiceRangeError`.
 */
export function createEmbeddedCluster(options: EmbeddedClusterOptions = {}): EmbeddedCluster {
  return createClusterOf(selectedRelease(options.kubernetesVersion), options);
}

/** Creates a cluster of a release. Fails like {@link createEmbeddedCluster}. */
export function createClusterOf(release: Release, options: EmbeddedClusterOptions = {}): EmbeddedCluster {
  const read: ReadOptions = { ...options, serviceRanges: readServiceRanges(options.serviceRanges) };
  const signer = tokenSigner(options);
  return withServerBase(release, { ...options, gatedVersions: gatedVersionsOf(options) }, (base) =>
    clusterOn(base, read, signer),
  );
}

function clusterOn(base: ServerBase, options: ReadOptions, signer: ServiceAccountTokenSigner): EmbeddedCluster {
  const { context } = base;
  const { clock, serviceRanges } = options;
  const tokens = new StaticTokens();
  for (const { token, ...user } of options.tokens ?? []) tokens.add(token, user);
  const place = new ServerPlace();
  const rootCa = new PublishedValue<string>();
  const metrics = new MetricStore();
  const certificateAuthority = loadOnce(async () => await createCertificateAuthority("embedded-cluster"));
  const containers = new ClusterContainers(clock, containerSurroundings({ context, signer, place }));
  const resolveDeclared: ServiceResolver = (service) => options.resolveService?.(service);
  const resolveInCluster: ServiceResolver = (service) => serviceAddress(context.objects, containers.runtime, service);
  const webhookClient = new WebhookClient(
    context.clock,
    (service) => resolveDeclared(service) ?? resolveInCluster(service),
  );
  const aggregation = createAggregation({
    servers: [...(options.aggregatedServers ?? []), metricsApi(metrics, context)],
    resolveDeclared,
    resolveInCluster,
    clientPair: async () => await (await certificateAuthority()).issueClient({ user: FRONT_PROXY_USER }),
  });
  const controllerParts: ControllerParts = {
    advertised: place.advertised,
    backends: aggregation.backends,
    containers,
    families: serviceRanges.map(familyOf),
    metrics,
    requestSigner: requestSignerOf(certificateAuthority),
    rootCa,
  };
  const server = assembleServer(
    base,
    serverOptions(options, {
      context,
      tokens,
      signer,
      webhookClient,
      aggregation,
      place,
      controllerParts,
    }),
  );
  const addUser = (user: UserInfo, from: RestConfig): RestConfig => {
    const token = randomBytes(24).toString("base64url");
    tokens.add(token, user);
    return { ...from, credentials: { kind: "token", token } };
  };
  const config = addUser({ ...ADMIN, groups: ADMIN_GROUPS }, server.restConfig());
  const listening = {
    server,
    config,
    certificateAuthority,
    rootCa,
    place,
    serviceAddress: serverAddress(serviceRanges),
  };
  return {
    server,
    images: containers.images,
    pods: containers.faults,
    metrics,
    config,
    certificateAuthority,
    history: (object) => server.history(object),
    listen: async (where = {}) => await listenCluster(listening, where),
    addUser: ({ name, groups = [] }, from = config) => addUser({ name, groups }, from),
    close: async () => {
      await server.close();
      webhookClient.close();
      aggregation.close();
    },
  };
}

function requestSignerOf(certificateAuthority: () => Promise<CertificateAuthority>): RequestSigner {
  return {
    read: async (request) => {
      const { readCertificateRequest } = await import("./certificate-requests.ts");
      return await readCertificateRequest(request);
    },
    sign: async (request, terms) => await (await certificateAuthority()).signRequest(request, terms),
  };
}

/** Options whose ranges of Service addresses are in their canonical form. */
interface ReadOptions extends EmbeddedClusterOptions {
  readonly serviceRanges: readonly [string, ...string[]];
}

interface ServerParts {
  readonly context: ServerContext;
  readonly tokens: StaticTokens;
  readonly signer: ServiceAccountTokenSigner;
  readonly webhookClient: WebhookClient;
  readonly aggregation: Aggregation;
  readonly place: ServerPlace;
  readonly controllerParts: ControllerParts;
}

function serverOptions(
  options: ReadOptions,
  { context, tokens, signer, webhookClient, aggregation, place, controllerParts }: ServerParts,
): ApiServerOptions {
  const { authorizationModes = ["Node", "RBAC"] } = options;
  const { containers, requestSigner } = controllerParts;
  const serverUrl = (): string | undefined => place.url;
  const findStatic = (token: string): UserInfo | undefined => tokens.find(token);
  return {
    ...(options.bookmarkIntervalMs === undefined ? {} : { bookmarkIntervalMs: options.bookmarkIntervalMs }),
    ...(options.allowAnonymous === undefined ? {} : { allowAnonymous: options.allowAnonymous }),
    ...(options.featureGates === undefined ? {} : { featureGates: options.featureGates }),
    ...(options.descriptions === undefined ? {} : { descriptions: options.descriptions }),
    ...(options.audit === undefined ? {} : { audit: options.audit }),
    ...(options.recordHistory === undefined ? {} : { recordHistory: options.recordHistory }),
    gatedVersions: gatedVersionsOf(options),
    serviceRanges: options.serviceRanges,
    ...limitsOf(options),
    documents: (path) => issuerDocument(signer, path, serverUrl),
    serverUrl,
    aggregator: aggregation.aggregator,
    classifier: flowClassifier,
    callWebhook: async (call) => await webhookClient.call(call),
    authenticators: [() => clientCertificates, () => tokens, (context) => serviceAccounts(context, signer)],
    authorizer: authorizerOf(authorizationModes),
    admission: [admissionOf(options, { webhookClient, requestSigner })],
    virtualResources: [
      (context) => [tokenRequests(context, signer), ...podBindings(context), podEvictions(context)],
      (context) => authenticationReviews(context, signer, findStatic),
      (context) => [...accessReviews(context), selfSubjectRulesReview(context, authorizationModes)],
    ],
    controllers: controllersOf({
      lifecycle: options.lifecycleControllers !== false,
      workloads: hasWorkloadControllers(options),
      nodeSimulation: options.workloadSimulation === true,
    }).map(
      ({ create }) =>
        (context: ServerContext) =>
          create(context, controllerParts),
    ),
    podStreams: (context) => lazyPodStreams(context, containers),
    components: componentsOf(options),
    initialObjects: () => firstObjects(context, options),
  };
}

function limitsOf({
  requestLimits,
  nodePortRange,
}: EmbeddedClusterOptions): Pick<ApiServerOptions, "requestLimits" | "nodePortRange"> {
  return {
    ...(requestLimits === undefined ? {} : { requestLimits }),
    ...(nodePortRange === undefined ? {} : { nodePortRange }),
  };
}

function gatedVersionsOf({ gatedVersions, featureGates = {} }: EmbeddedClusterOptions): readonly GatedVersion[] {
  return gatedVersions ?? (featureGates.MutatingAdmissionPolicy === true ? [WITH_MUTATING_POLICIES] : []);
}

const WITH_MUTATING_POLICIES: GatedVersion = "admissionregistration.k8s.io/v1beta1";

function hasWorkloadControllers({ workloadSimulation, workloadControllers }: EmbeddedClusterOptions): boolean {
  return workloadSimulation === true || workloadControllers === true;
}

function componentsOf(options: EmbeddedClusterOptions): readonly ControlPlaneComponent[] {
  return [
    ...(options.lifecycleControllers === false ? [] : (["controller-manager"] as const)),
    ...(hasWorkloadControllers(options) ? (["scheduler"] as const) : []),
  ];
}

function firstObjects({ release, identities }: ServerContext, options: ReadOptions): readonly JsonObject[] {
  const nowMs = (options.clock ?? realClock).now();
  const hasControllers = options.lifecycleControllers !== false;
  const { serviceRanges } = options;
  return [
    ...bootstrapPolicy(release, CONTROLLER_POLICIES, hasControllers),
    ...SYSTEM_PRIORITY_CLASSES,
    ...serviceNetwork(serviceRanges, { time: toTime(nowMs), hasControllers }),
    ...(options.workloadSimulation === true ? [firstNode(release, toTime(nowMs), serviceRanges.map(familyOf))] : []),
    ...bootstrapObjects(release, nowMs, { gatedVersions: gatedVersionsOf(options), identities }),
    ...aggregatedApiServices(options.aggregatedServers ?? [], nowMs),
    ...(hasControllers ? controllerServiceAccounts(release) : []),
  ];
}

function tokenSigner({
  serviceAccountTokens,
  persist,
  restoreFrom,
}: EmbeddedClusterOptions): ServiceAccountTokenSigner {
  const { keys, ...issuing } = serviceAccountTokens ?? {};
  const restored = restoreFrom === undefined ? undefined : restoredSecret(restoreFrom);
  const secret = persist === undefined ? restored : persistedSecret(persist);
  return new ServiceAccountTokenSigner({
    ...issuing,
    keys: keys === undefined ? secretKey(secret) : pemKeys(keys),
  });
}

function lazyPodStreams(context: ServerContext, containers: ClusterContainers): PodStreams {
  return {
    serve: async (request) => {
      const [{ podStreams }, runtime] = await Promise.all([
        import("../kubelet/containers/pod-streams.ts"),
        containers.load(),
      ]);
      return await podStreams(context, runtime).serve(request);
    },
  };
}
