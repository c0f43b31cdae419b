import { type FieldError, invalidField } from "@kubescaffold/k8s";

import { internalError, plainError } from "../../../../request/failures.ts";
import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { numberIn, objectsIn, textIn } from "../../../fields.ts";
import type { PortRange } from "../../../strategy.ts";
import { needsHealthCheck } from "./health-checks.ts";

/** What dry runs are given. */
const FIRST_DUMMY = 32_769;
// Below, dry runs look for ports that are free.
const LEAST_DUMMY = 100;

/** The ports of the nodes during a write of a Service: those that are taken, and those that it takes. */
export class NodePorts {
  readonly #taken: ReadonlySet<number>;
  readonly #isDryRun: boolean;
  readonly #range: PortRange;
  readonly #own = new Set<number>();
  #highest = 0;
  // Ports before this place of the range are taken.
  #offset = 0;

  constructor(
    taken: ReadonlySet<number>,
    { isDryRun, nodePortRange }: { readonly isDryRun: boolean; readonly nodePortRange: PortRange },
  ) {
    this.#taken = taken;
    this.#isDryRun = isDryRun;
    this.#range = nodePortRange;
  }

  /** Takes a port; returns why it cannot. A dry run takes ports outside the range, too. */
  take(port: number): string | undefined {
    const { first, last } = this.#range;
    if (!this.#isDryRun && (port < first || port > last)) {
      return `provided port is not in the valid range. The range of valid ports is ${String(first)}-${String(last)}`;
    }
    if (this.#isTaken(port)) return "provided port is already allocated";
    this.#add(port);
    return undefined;
  }

  /** Takes any port. Fails: with 500 when none is free, and names what it is for. */
  takeNext(purpose: string): number {
    const port = this.#isDryRun ? this.#nextDummy() : this.#nextFree();
    if (port === undefined) throw internalError(`failed to allocate a ${purpose}: range is full`);
    this.#add(port);
    return port;
  }

  #nextDummy(): number {
    let port = this.#own.size === 0 ? FIRST_DUMMY : this.#highest + 1;
    while (port < LEAST_DUMMY && this.#isTaken(port)) port += 1;
    return port;
  }

  // Kubernetes leaves the first ports to requests: a 32nd of the range, between 16 and 128.
  #nextFree(): number | undefined {
    const { first, last } = this.#range;
    const size = last - first + 1;
    const reserved = size <= 16 ? 0 : Math.min(128, Math.max(16, Math.floor(size / 32)));
    for (; this.#offset < size; this.#offset += 1) {
      const port = first + ((reserved + this.#offset) % size);
      if (!this.#isTaken(port)) return port;
    }
    return undefined;
  }

  #add(port: number): void {
    this.#own.add(port);
    this.#highest = Math.max(this.#highest, port);
  }

  #isTaken(port: number): boolean {
    return this.#taken.has(port) || this.#own.has(port);
  }
}

/** Gives the ports of a Service ports of the nodes; returns why one that it states cannot be had. */
export function allocateNodePorts(
  spec: MutableJsonObject,
  before: MutableJsonObject | undefined,
  nodePorts: NodePorts,
): readonly FieldError[] {
  if (!["NodePort", "LoadBalancer"].includes(textIn(spec, "type"))) return [];
  const needsAll = spec["type"] === "NodePort" || spec["allocateLoadBalancerNodePorts"] !== false;
  const ports = objectsIn(spec, "ports");
  const step = before === undefined ? newPortStep(ports) : changedPortStep(objectsIn(before, "ports"));
  for (const [index, port] of ports.entries()) {
    if (nodePortOf(port) === 0 && !needsAll) continue;
    const { requested, problem } = step(port, nodePorts);
    if (problem !== undefined) return [invalidField(`spec.ports[${index}].nodePort`, requested, problem)];
  }
  return [];
}

interface StepResult {
  readonly requested?: number;
  readonly problem?: string | undefined;
}

type PortStep = (port: MutableJsonObject, nodePorts: NodePorts) => StepResult;

const NODE_PORT = "nodePort";
const nodePortOf = (port: MutableJsonObject): number => numberIn(port, "nodePort") ?? 0;

// Ports with the same number, for two protocols, share a port of the nodes.
function newPortStep(ports: readonly MutableJsonObject[]): PortStep {
  const shared = new Map<number, number>();
  const stated = new Map<number, number>();
  for (const port of ports.toReversed()) {
    if (nodePortOf(port) !== 0) stated.set(numberIn(port, "port") ?? 0, nodePortOf(port));
  }
  return (port, nodePorts) => {
    const number = numberIn(port, "port") ?? 0;
    const given = shared.get(number);
    const own = nodePortOf(port);
    if (given !== undefined && own === given) return {};
    if (given !== undefined && own !== 0) return { requested: own, problem: nodePorts.take(own) };
    const requested = stated.get(number);
    const problem = given === undefined && requested !== undefined ? nodePorts.take(requested) : undefined;
    if (requested !== undefined && problem !== undefined) return { requested, problem };
    const next = given ?? requested ?? nodePorts.takeNext(NODE_PORT);
    shared.set(number, next);
    port["nodePort"] = next;
    return {};
  };
}

// Fails: with 500 when two ports have one protocol and one port of the nodes.
function changedPortStep(former: readonly MutableJsonObject[]): PortStep {
  const before = new Set(former.map(nodePortOf));
  const [taken, seen] = [new Set<number>(), new Set<string>()];
  return (port, nodePorts) => {
    const own = nodePortOf(port);
    const problem = own === 0 || before.has(own) || taken.has(own) ? undefined : nodePorts.take(own);
    if (problem !== undefined) return { requested: own, problem };
    if (own !== 0 && !before.has(own)) taken.add(own);
    const next = own === 0 ? nodePorts.takeNext(NODE_PORT) : own;
    port["nodePort"] = next;
    const pair = `${textIn(port, "protocol")} ${next}`;
    if (seen.has(pair)) throw plainError(`duplicate nodePort: {${pair}}`);
    seen.add(pair);
    return {};
  };
}

/** Gives a Service the port for checks of its health that it did not need before. Fails: with 500 when it cannot have the one that it states. */
export function allocateHealthPort(
  spec: MutableJsonObject,
  before: MutableJsonObject | undefined,
  nodePorts: NodePorts,
): void {
  if (!needsHealthCheck(spec) || needsHealthCheck(before)) return;
  const requested = numberIn(spec, "healthCheckNodePort") ?? 0;
  const problem = requested === 0 ? undefined : nodePorts.take(requested);
  if (problem !== undefined) {
    throw internalError(`failed to allocate requested HealthCheck NodePort ${requested}: ${problem}`);
  }
  if (requested === 0) spec["healthCheckNodePort"] = nodePorts.takeNext("HealthCheck NodePort 0");
}
