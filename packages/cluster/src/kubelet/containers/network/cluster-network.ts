import type { Duplex } from "node:stream";

import { addressFamily, canonicalAddress, hostAndPort, type ObjectReader } from "@kubescaffold/apiserver/cluster-api";
import type { ContainerPort, Node, Pod, Service, ServicePort } from "@kubescaffold/k8s/core/v1";
import type { EndpointSlice } from "@kubescaffold/k8s/discovery/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import { ContainerConnectionError } from "../connection-error.ts";
import type { ContainerRuntime } from "../container-runtime.ts";
import type { DnsRecordType, PortProtocol } from "../image-definitions.ts";
import { resolveName } from "./cluster-names.ts";
import { resolveRecords } from "./dns-records.ts";

const PODS = { group: "", resource: "pods" } as const;
const NODES = { group: "", resource: "nodes" } as const;
const SERVICES = { group: "", resource: "services" } as const;
const ENDPOINT_SLICES = { group: "discovery.k8s.io", resource: "endpointslices" } as const;

const SERVICE_NAME_LABEL = "kubernetes.io/service-name";
const DEFAULT_AFFINITY_SECONDS = 10_800;

/** A port to connect to. */
interface TargetPort {
  readonly port: number;
  readonly protocol: PortProtocol;
}

/** Inputs of the network of a cluster. */
interface NetworkParts {
  readonly objects: ObjectReader;
  readonly runtime: ContainerRuntime;
  readonly clock: Clock;
  /** Opens a connection to the API server; undefined while it does not listen. */
  readonly connectToServer: () => Duplex | undefined;
  /** Where Pods reach the API server, besides its Service. */
  readonly advertised: { readonly current: { readonly address: string; readonly port: number } | undefined };
}

/** Connects simulated containers: Pods by their addresses, and Services as kube-proxy does, by their EndpointSlices. */
export class ClusterNetwork {
  readonly #parts: NetworkParts;
  // By the uid of a Service and its port: how many connections there were.
  readonly #turns = new Map<string, number>();
  // By the uid of a Service and the address of the client.
  readonly #clientPods = new Map<string, { readonly address: string; readonly until: number }>();

  constructor(parts: NetworkParts) {
    this.#parts = parts;
  }

  /** Opens a connection from a Pod. Fails: {@link ContainerConnectionError}. */
  connect(client: Pod, host: string, target: TargetPort): Duplex {
    const [address] = this.lookup(client, host);
    if (address === undefined) throw new ContainerConnectionError(`lookup ${host}: no such host`);
    return this.#dial(client, address, target);
  }

  /** Returns the addresses of a name. */
  lookup(client: Pod, host: string): readonly string[] {
    return addressFamily(host) === 0 ? resolveName(this.#parts.objects, client, host) : [canonicalAddress(host)];
  }

  /** Returns the data of the DNS records of a name. */
  resolve(client: Pod, name: string, type: DnsRecordType): readonly string[] {
    return resolveRecords(this.#parts.objects, client, { name, type });
  }

  #dial(client: Pod, address: string, target: TargetPort): Duplex {
    const { port, protocol } = target;
    const refuse = (): ContainerConnectionError =>
      new ContainerConnectionError(
        `dial ${protocol.toLowerCase()} ${hostAndPort(address, port)}: connect: connection refused`,
      );
    const isLoopback = isLoopbackAddress(address);
    const ofNode = isLoopback && client.spec?.hostNetwork === true;
    const own = isLoopback && !ofNode ? client : this.#podAt(address);
    if (own !== undefined) {
      const connection = this.#connectToPod(own, target);
      if (connection === undefined) throw refuse();
      return connection;
    }
    const connection =
      this.#connectToServer(address, target) ??
      this.#connectToService(client, address, target) ??
      this.#connectToNode(client, address, target);
    if (connection === undefined) throw refuse();
    return connection;
  }

  #podAt(address: string): Pod | undefined {
    const pods = this.#parts.objects.list(PODS) as readonly Pod[];
    return pods.find(
      ({ status, spec }) => hasAddress(status, address) && spec?.hostNetwork !== true && !hasEnded(status),
    );
  }

  #connectToPod({ metadata }: Pod, { port, protocol }: TargetPort): Duplex | undefined {
    const containers = this.#parts.runtime.containersOf(metadata.uid ?? "");
    return containers.find((each) => each.isRunning && each.listensOn(port, protocol))?.connect(port, protocol);
  }

  #connectToServer(address: string, { port, protocol }: TargetPort): Duplex | undefined {
    const advertised = this.#parts.advertised.current;
    const isServer = advertised?.address === address && advertised.port === port && protocol === "TCP";
    return isServer ? this.#parts.connectToServer() : undefined;
  }

  #connectToService(client: Pod, address: string, target: TargetPort): Duplex | undefined {
    const services = this.#parts.objects.list(SERVICES) as readonly Service[];
    const service = services.find(({ spec }) => addressesOf(spec).includes(address));
    const servicePort = service?.spec?.ports?.find((each) => each.port === target.port && speaks(each, target));
    return service === undefined || servicePort === undefined
      ? undefined
      : this.#connectToTarget(client, service, servicePort);
  }

  // Ports of the node itself, then those of Pods, then those of Services.
  #connectToNode(client: Pod, address: string, target: TargetPort): Duplex | undefined {
    const nodes = this.#parts.objects.list(NODES) as readonly Node[];
    const isOwn = isLoopbackAddress(address);
    const node = nodes.find(({ metadata, status }) =>
      isOwn
        ? metadata.name === client.spec?.nodeName
        : status?.addresses?.some((each) => each.address === address) === true,
    );
    if (node === undefined) return undefined;
    const pods = (this.#parts.objects.list(PODS) as readonly Pod[]).filter(
      ({ spec, status }) => spec?.nodeName === node.metadata.name && !hasEnded(status),
    );
    for (const pod of pods) {
      const connection = pod.spec?.hostNetwork === true ? this.#connectToPod(pod, target) : undefined;
      if (connection !== undefined) return connection;
      const mapped = pod.spec?.containers
        .flatMap(({ ports = [] }) => ports)
        .find((each) => isMapped(each, target, address));
      if (mapped !== undefined) return this.#connectToPod(pod, { ...target, port: mapped.containerPort });
    }
    for (const service of this.#parts.objects.list(SERVICES) as readonly Service[]) {
      const servicePort = service.spec?.ports?.find(
        ({ nodePort, ...each }) => nodePort === target.port && speaks(each, target),
      );
      if (servicePort !== undefined) return this.#connectToTarget(client, service, servicePort);
    }
    return undefined;
  }

  #connectToTarget(client: Pod, service: Service, servicePort: ServicePort): Duplex | undefined {
    const { namespace = "", name = "" } = service.metadata;
    if (namespace === "default" && name === "kubernetes") return this.#parts.connectToServer();
    const targets = this.#targetsOf(service, servicePort);
    const address = this.#choose(client, service, { servicePort, addresses: [...targets.keys()] });
    const pod = address === undefined ? undefined : this.#podAt(address);
    const port = targets.get(address ?? "") ?? 0;
    return pod === undefined ? undefined : this.#connectToPod(pod, { port, protocol: protocolOf(servicePort) });
  }

  // The ports of the ready endpoints, by their address.
  #targetsOf({ metadata }: Service, { name = "", protocol = "TCP" }: ServicePort): ReadonlyMap<string, number> {
    const slices = this.#parts.objects.list(ENDPOINT_SLICES, metadata.namespace) as unknown as readonly EndpointSlice[];
    const targets = new Map<string, number>();
    for (const slice of slices) {
      if (slice.metadata.labels?.[SERVICE_NAME_LABEL] !== metadata.name) continue;
      const port = slice.ports?.find((each) => (each.name ?? "") === name && (each.protocol ?? "TCP") === protocol);
      if (port?.port === undefined) continue;
      for (const { addresses, conditions } of slice.endpoints ?? []) {
        const [address] = addresses;
        if (conditions?.ready !== false && address !== undefined) targets.set(address, port.port);
      }
    }
    return targets;
  }

  // In turn, unless the client must reach the Pod that it reached before.
  #choose(
    client: Pod,
    { metadata, spec }: Service,
    { servicePort, addresses }: { readonly servicePort: ServicePort; readonly addresses: readonly string[] },
  ): string | undefined {
    const { uid = "" } = metadata;
    const now = this.#parts.clock.now();
    const clientKey = `${uid}/${client.status?.podIP ?? ""}`;
    const affinity = spec?.sessionAffinity === "ClientIP" ? this.#clientPods.get(clientKey) : undefined;
    const isKept = affinity !== undefined && affinity.until > now && addresses.includes(affinity.address);
    const address = isKept ? affinity.address : this.#next(`${uid}/${String(servicePort.port)}`, addresses);
    if (spec?.sessionAffinity === "ClientIP" && address !== undefined) {
      const seconds = spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? DEFAULT_AFFINITY_SECONDS;
      this.#clientPods.set(clientKey, { address, until: now + seconds * 1000 });
    }
    return address;
  }

  #next(key: string, addresses: readonly string[]): string | undefined {
    const turn = this.#turns.get(key) ?? 0;
    this.#turns.set(key, turn + 1);
    return addresses[turn % Math.max(addresses.length, 1)];
  }
}

function isLoopbackAddress(address: string): boolean {
  return address.startsWith("127.") || address === "::1";
}

function hasAddress(status: Pod["status"], address: string): boolean {
  return status?.podIP === address || (status?.podIPs ?? []).some(({ ip }) => ip === address);
}

function addressesOf(spec: Service["spec"]): readonly string[] {
  return [...(spec?.clusterIPs ?? [spec?.clusterIP ?? ""]), ...(spec?.externalIPs ?? [])];
}

// Nothing listens for other protocols.
function protocolOf({ protocol = "TCP" }: Pick<ServicePort, "protocol">): PortProtocol {
  return protocol === "UDP" ? "UDP" : "TCP";
}

function speaks(port: Pick<ServicePort, "protocol">, { protocol }: TargetPort): boolean {
  return (port.protocol ?? "TCP") === protocol;
}

function isMapped(mapping: ContainerPort, target: TargetPort, address: string): boolean {
  const { hostPort, hostIP = "" } = mapping;
  return hostPort === target.port && speaks(mapping, target) && ["", "0.0.0.0", address].includes(hostIP);
}

function hasEnded(status: Pod["status"]): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}
