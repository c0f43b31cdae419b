import { randomBytes } from "node:crypto";

import type { RestConfig } from "@kubescaffold/k8s";

import { admissionWebhooks, refuseUnsupportedAdmission } from "../admission/webhooks/admission-webhooks.ts";
import { authenticationReviews } from "../authentication/authentication-reviews.ts";
import { clientCertificates, serviceAccounts, StaticTokens } from "../authentication/authenticators.ts";
import { pemKeys, type ServiceAccountKeys } from "../authentication/service-account-keys.ts";
import { ServiceAccountTokenSigner } from "../authentication/service-account-token.ts";
import { tokenRequests } from "../authentication/token-request.ts";
import { accessReviews, selfSubjectRulesReview } from "../authorization/access-reviews.ts";
import { type AuthorizationMode, authorizerOf } from "../authorization/authorization-modes.ts";
import { bootstrapPolicy } from "../authorization/bootstrap-policy.ts";
import { escalationGuard } from "../authorization/escalation-guard.ts";
import { realClock, type Clock } from "../clock/clock.ts";
import { ContainerRuntime } from "../containers/container-runtime.ts";
import type { Images } from "../containers/image-definitions.ts";
import { WebhookClient, type ServiceResolver } from "../http/webhook-client.ts";
import type { PodStreams } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { ADMIN, type UserInfo } from "../request/request-context.ts";
import type { ApiServer, ApiServerOptions, Listener, ListenTls } from "../server/api-server.ts";
import { createApiServer } from "../server/create-api-server.ts";
import type { RequestLimits } from "../server/request-limits.ts";
import { createCertificateAuthority, type CertificateAuthority } from "./certificate-authority.ts";
import { CONTROLLER_POLICIES, LIFECYCLE_CONTROLLERS, workloadControllers } from "./cluster-controllers.ts";
import { KUBERNETES_SERVICE } from "./kubernetes-service.ts";
import { podBinding } from "./pod-binding.ts";
import { podEvictions } from "./pod-evictions.ts";

const ADMIN_GROUPS = ["system:masters"];

/** Options of an embedded cluster. */
export interface EmbeddedClusterOptions {
  readonly clock?: Clock;
  /** Runs the controllers of namespaces, garbage collection, and service accounts. Default: true. */
  readonly lifecycleControllers?: boolean;
  /** Simulates workloads: Deployments and StatefulSets get Pods that become ready, Jobs and CronJobs run. Default: false. */
  readonly workloadSimulation?: boolean;
  /** Finds the process that serves a Service, for webhooks that are configured by service. */
  readonly resolveService?: ServiceResolver;
  readonly historyLimit?: number;
  readonly bookmarkIntervalMs?: number;
  /** The first mode that allows a request decides; members of `system:masters` are always allowed. Default: RBAC. */
  readonly authorizationModes?: readonly AuthorizationMode[];
  /** Whether requests without credentials are `system:anonymous` (default) or fail with 401. */
  readonly allowAnonymous?: boolean;
  /** Users that have a bearer token from the start. */
  readonly tokens?: readonly TokenUser[];
  readonly serviceAccountTokens?: ServiceAccountTokenOptions;
  readonly requestLimits?: RequestLimits;
}

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

/** Options for listening. */
export interface ClusterListenOptions {
  readonly host?: string;
  /** The port. Default: 0, any free port. */
  readonly port?: number;
  /** Serves HTTPS: with a certificate of the cluster's CA, whose client certificates it accepts, or with given certificates. */
  readonly tls?: boolean | ListenTls;
  /** Host names that clients without a bearer token may use, in addition to those of the certificate and IP addresses. */
  readonly hostNames?: readonly string[];
}

/** A listening cluster. */
export interface ClusterListener extends Listener {
  /** The config of an administrator. */
  readonly config: RestConfig;
}

/**
 * An embedded API server with the parts of a cluster: users, RBAC, service accounts, webhooks, and controllers.
 *
 * The controllers run in it as their own service accounts; an administrator is a member of `system:masters`.
 */
export interface EmbeddedCluster {
  readonly server: ApiServer;
  /** The behavior of images, which containers run when workloads are simulated. */
  readonly images: Images;
  /** The config of an administrator in this process, without a socket. */
  readonly config: RestConfig;
  /** The CA that signs certificates for the server, users, and webhooks; created on first use. */
  certificateAuthority(): Promise<CertificateAuthority>;
  listen(options?: ClusterListenOptions): Promise<ClusterListener>;
  /** Creates a token for a user and returns the user's config, based on `from` (default: the in-process config). */
  addUser(user: { readonly name: string; readonly groups?: readonly string[] }, from?: RestConfig): RestConfig;
  close(): Promise<void>;
}

/** Creates a cluster; nothing listens until {@link EmbeddedCluster.listen}. */
export function createEmbeddedCluster(options: EmbeddedClusterOptions = {}): EmbeddedCluster {
  const tokens = new StaticTokens();
  for (const { token, ...user } of options.tokens ?? []) tokens.add(token, user);
  const webhookClient = new WebhookClient(options.clock ?? realClock, options.resolveService ?? (() => undefined));
  const containers = new ContainerRuntime(options.clock);
  const server = createApiServer(serverOptions(options, { tokens, webhookClient, containers }));
  let authority: Promise<CertificateAuthority> | undefined;
  const certificateAuthority = async (): Promise<CertificateAuthority> =>
    await (authority ??= createCertificateAuthority("embedded-cluster"));
  const addUser = (user: UserInfo, from: RestConfig): RestConfig => {
    const token = randomBytes(24).toString("base64url");
    tokens.add(token, user);
    return { ...from, credentials: { kind: "token", token } };
  };
  const config = addUser({ ...ADMIN, groups: ADMIN_GROUPS }, server.restConfig());
  return {
    server,
    images: containers.images,
    config,
    certificateAuthority,
    listen: async (where = {}) => await listen({ server, config, certificateAuthority }, where),
    addUser: ({ name, groups = [] }, from = config) => addUser({ name, groups }, from),
    close: async () => {
      await server.close();
      webhookClient.close();
    },
  };
}

function serverOptions(
  options: EmbeddedClusterOptions,
  {
    tokens,
    webhookClient,
    containers,
  }: { readonly tokens: StaticTokens; readonly webhookClient: WebhookClient; readonly containers: ContainerRuntime },
): ApiServerOptions {
  const { keys, ...issuing } = options.serviceAccountTokens ?? {};
  const signer = new ServiceAccountTokenSigner({ ...issuing, ...(keys === undefined ? {} : { keys: pemKeys(keys) }) });
  const findStatic = (token: string): UserInfo | undefined => tokens.find(token);
  return {
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(options.historyLimit === undefined ? {} : { historyLimit: options.historyLimit }),
    ...(options.bookmarkIntervalMs === undefined ? {} : { bookmarkIntervalMs: options.bookmarkIntervalMs }),
    ...(options.allowAnonymous === undefined ? {} : { allowAnonymous: options.allowAnonymous }),
    ...(options.requestLimits === undefined ? {} : { requestLimits: options.requestLimits }),
    callWebhook: async (call) => await webhookClient.call(call),
    authenticators: [() => clientCertificates, () => tokens, (context) => serviceAccounts(context, signer)],
    authorizer: authorizerOf(options.authorizationModes ?? ["RBAC"]),
    admission: [
      () => refuseUnsupportedAdmission,
      (context) => admissionWebhooks(context, webhookClient),
      escalationGuard,
    ],
    virtualResources: [
      (context) => [tokenRequests(context, signer), podBinding(context), podEvictions(context)],
      (context) => authenticationReviews(context, signer, findStatic),
      (context) => [...accessReviews(context), selfSubjectRulesReview(context)],
    ],
    controllers: [
      ...(options.lifecycleControllers === false ? [] : LIFECYCLE_CONTROLLERS),
      ...(options.workloadSimulation === true ? workloadControllers(containers) : []),
    ],
    ...(options.workloadSimulation === true ? { podStreams: (context) => lazyPodStreams(context, containers) } : {}),
    initialObjects: () => [...bootstrapPolicy(CONTROLLER_POLICIES), KUBERNETES_SERVICE],
  };
}

function lazyPodStreams(context: ServerContext, containers: ContainerRuntime): PodStreams {
  return {
    serve: async (request) => {
      const { podStreams } = await import("../containers/pod-streams.ts");
      return await podStreams(context, containers).serve(request);
    },
  };
}

const DNS_NAMES = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

async function listen(
  cluster: Pick<EmbeddedCluster, "server" | "config" | "certificateAuthority">,
  { tls = false, ...where }: ClusterListenOptions,
): Promise<ClusterListener> {
  const host = where.host ?? "127.0.0.1";
  const { serving, ca } = await servingTls(cluster, tls);
  const listener = await cluster.server.listen({
    host,
    hostNames: [host, ...DNS_NAMES, ...(where.hostNames ?? [])],
    ...(where.port === undefined ? {} : { port: where.port }),
    ...(serving === undefined ? {} : { tls: serving }),
  });
  const { transport: _transport, connect: _connect, ...config } = cluster.config;
  return {
    ...listener,
    config: { ...config, server: listener.url, ...(ca === undefined ? {} : { tls: { ca } }) },
  };
}

// The authority of a given certificate is not known: clients of `config` verify it like any other.
async function servingTls(
  cluster: Pick<EmbeddedCluster, "certificateAuthority">,
  tls: boolean | ListenTls,
): Promise<{ readonly serving?: ListenTls; readonly ca?: string }> {
  if (typeof tls !== "boolean") return { serving: tls };
  if (!tls) return {};
  const authority = await cluster.certificateAuthority();
  const pair = await authority.issueServer({ dnsNames: DNS_NAMES, ipAddresses: ["127.0.0.1", "10.0.0.1"] });
  return { serving: { ...pair, clientCa: authority.cert }, ca: authority.cert };
}
