import type { Duplex } from "node:stream";

import {
  type ApiObject,
  type ObjectReader,
  type ServiceAddress,
  type ServiceTarget,
  storedLabelsMatcher,
} from "@kubescaffold/apiserver/cluster-api";
import type { Pod, Service } from "@kubescaffold/k8s/core/v1";

import type { ContainerRuntime } from "./container-runtime.ts";

/** A port of a Service. */
export interface ServicePort {
  readonly namespace: string;
  readonly name: string;
  /** A number, or a name; 0 or "" is the only port. */
  readonly port: number | string;
}

/** Returns where the program behind a Service is: at its external name, or in a simulated container; undefined if there is none. */
export function serviceAddress(
  objects: ObjectReader,
  runtime: ContainerRuntime | undefined,
  target: ServiceTarget,
): ServiceAddress | undefined {
  const service = objects.get({ group: "", resource: "services" }, target) as Service | undefined;
  const { type, externalName = "" } = service?.spec ?? {};
  if (type === "ExternalName") return { host: externalName, port: target.port };
  const connect = runtime === undefined ? undefined : serviceConnection(objects, runtime, target);
  return connect === undefined ? undefined : { connect };
}

/** Returns a function that connects to a simulated container behind a Service; undefined if none listens on the target port. */
export function serviceConnection(
  objects: ObjectReader,
  runtime: ContainerRuntime,
  { namespace, name, port }: ServicePort,
): (() => Duplex) | undefined {
  const service = objects.get({ group: "", resource: "services" }, { namespace, name }) as Service | undefined;
  const { selector = {}, ports = [] } = service?.spec ?? {};
  const isOnly = port === 0 || port === "";
  const found = ports.find((each) => (isOnly ? ports.length === 1 : each.port === port || each.name === port));
  if (found === undefined || Object.keys(selector).length === 0) return undefined;
  const target = found.targetPort ?? found.port;
  const isMatch = storedLabelsMatcher(selector);
  for (const object of objects.list({ group: "", resource: "pods" }, namespace)) {
    const pod = object as ApiObject & Pod;
    if (!isMatch(pod.metadata.labels) || !isReady(pod)) continue;
    const connect = podConnection(runtime, pod, target);
    if (connect !== undefined) return connect;
  }
  return undefined;
}

/** Returns a function that connects to a port of a Pod, by number or name; undefined if no simulated container listens on it. */
export function podConnection(
  runtime: ContainerRuntime,
  pod: Pod,
  target: number | string,
): (() => Duplex) | undefined {
  const number = typeof target === "number" ? target : portNamed(pod, target);
  if (number === undefined) return undefined;
  const container = runtime
    .containersOf(pod.metadata.uid ?? "")
    .find((each) => each.isRunning && each.listensOn(number));
  if (container === undefined) return undefined;
  return () => {
    const connection = container.connect(number);
    if (connection === undefined) throw new Error(`connect: connection refused`);
    return connection;
  };
}

function portNamed({ spec }: Pod, name: string): number | undefined {
  if (/^\d+$/u.test(name)) return Number(name);
  return (spec?.containers ?? []).flatMap(({ ports = [] }) => ports).find((port) => port.name === name)?.containerPort;
}

function isReady({ status, metadata }: Pod): boolean {
  const ready = status?.conditions?.find(({ type }) => type === "Ready");
  return metadata.deletionTimestamp === undefined && ready?.status === "True";
}
