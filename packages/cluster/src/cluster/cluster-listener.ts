import {
  type ApiServer,
  type Listener,
  type ListenTls,
  PublishedValue,
  type ServerAddress,
  type ServerView,
} from "@kubescaffold/apiserver/cluster-api";
import type { RestConfig } from "@kubescaffold/k8s";

import type { CertificateAuthority } from "./certificate-authority.ts";

/** Options for listening. */
export interface ClusterListenOptions {
  /** The address. Default: the loopback address. */
  readonly host?: string;
  /** The port. Default: 0, any free port. */
  readonly port?: number;
  /** Serves HTTPS: with a certificate of the cluster's CA, whose client certificates it accepts, or with given certificates. */
  readonly tls?: boolean | ListenTls;
  /** The authorities of a given certificate, for the configs of clients and for `kube-root-ca.crt`. Default: unknown. */
  readonly ca?: string;
  /** Host names that clients without a bearer token may use, in addition to those of the certificate and IP addresses. */
  readonly hostNames?: readonly string[];
  /** The address of the server in the Endpoints of the Service `kubernetes`, at which containers reach it. Default: none, and no Endpoints, as for a server on loopback. */
  readonly advertiseAddress?: string;
  /** Serves a view of `server.viewAt`, for clients of a server that lags behind. Default: the server itself. */
  readonly view?: ServerView;
}

/** A listening cluster. */
export interface ClusterListener extends Listener {
  /** The config of an administrator. */
  readonly config: RestConfig;
}

/** Where the server of a cluster is reached, which is known from its first listener on. */
export class ServerPlace {
  /** The address at which containers reach the server. */
  readonly advertised: PublishedValue<ServerAddress> = new PublishedValue();
  #listener: Listener | undefined;

  /** The first listener; undefined before the server listens. */
  get listener(): Listener | undefined {
    return this.#listener;
  }

  /** The URL that others reach the server at; undefined before it listens. */
  get url(): string | undefined {
    const { current } = this.advertised;
    return current === undefined ? this.#listener?.url : `https://${current.address}:${String(current.port)}`;
  }

  /** Makes a listener known. */
  add(listener: Listener): void {
    this.#listener ??= listener;
  }
}

const DNS_NAMES = [
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
];

/** A cluster that can listen. */
interface ListeningCluster {
  readonly server: ApiServer;
  readonly config: RestConfig;
  certificateAuthority(): Promise<CertificateAuthority>;
  readonly rootCa: PublishedValue<string>;
  readonly place: ServerPlace;
  /** The address of the Service `kubernetes`. */
  readonly serviceAddress: string;
}

/** Listens for clients of a cluster. */
export async function listenCluster(
  cluster: ListeningCluster,
  { tls = false, ca: givenCa, advertiseAddress, view, ...where }: ClusterListenOptions,
): Promise<ClusterListener> {
  const host = where.host ?? "127.0.0.1";
  const { serving, ca = givenCa } = await servingTls(cluster, tls, advertiseAddress);
  if (ca !== undefined) cluster.rootCa.publish(ca);
  const listener = await (view ?? cluster.server).listen({
    host,
    hostNames: [host, ...DNS_NAMES, ...(where.hostNames ?? [])],
    ...(where.port === undefined ? {} : { port: where.port }),
    ...(serving === undefined ? {} : { tls: serving }),
  });
  if (advertiseAddress !== undefined) {
    cluster.place.advertised.publish({ address: advertiseAddress, port: listener.port });
  }
  if (view === undefined) cluster.place.add(listener);
  const { transport: _transport, connect: _connect, ...config } = cluster.config;
  return {
    ...listener,
    config: { ...config, server: listener.url, ...(ca === undefined ? {} : { tls: { ca } }) },
  };
}

// The authority of a given certificate may not be known: clients of `config` verify it like any other then.
async function servingTls(
  cluster: ListeningCluster,
  tls: boolean | ListenTls,
  advertiseAddress: string | undefined,
): Promise<{ readonly serving?: ListenTls; readonly ca?: string }> {
  if (typeof tls !== "boolean") return { serving: tls };
  if (!tls) return {};
  const authority = await cluster.certificateAuthority();
  const pair = await authority.issueServer({
    dnsNames: DNS_NAMES,
    ipAddresses: ["127.0.0.1", cluster.serviceAddress, ...(advertiseAddress === undefined ? [] : [advertiseAddress])],
  });
  return { serving: { ...pair, clientCa: authority.cert }, ca: authority.cert };
}
