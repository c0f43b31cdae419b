import type { APIServiceCondition } from "@kubescaffold/k8s/apiregistration/v1";
import type { Service } from "@kubescaffold/k8s/core/v1";
import type { EndpointSlice } from "@kubescaffold/k8s/discovery/v1";

import type { ServiceTarget } from "../../http/service-address.ts";
import type { ObjectReader } from "../../storage/object-reader.ts";
import { type DelegatedVersion, pathOf } from "../api-services.ts";
import { backendDocument, DISCOVERY_USER } from "../backend-documents.ts";
import type { Forwarding } from "../forward.ts";
import { type BackendFinder, routeTo } from "../routes.ts";

const SERVICES = { group: "", resource: "services" } as const;
const ENDPOINT_SLICES = { group: "discovery.k8s.io", resource: "endpointslices" } as const;

/** The outcome of a check, as the condition `Available` states it. */
export type Availability = Pick<APIServiceCondition, "status"> &
  Required<Pick<APIServiceCondition, "reason" | "message">>;

/** What checks need. */
export interface AvailabilityChecking extends Pick<Forwarding, "client" | "clock"> {
  readonly objects: ObjectReader;
  readonly find: BackendFinder;
}

/** Checks the Service of a group version, its endpoints, and whether its server answers. */
export async function checkAvailability(
  checking: AvailabilityChecking,
  version: DelegatedVersion,
): Promise<Availability> {
  const { service } = version.backend;
  const isDeclared = checking.find(service)?.isDeclared === true;
  const problem = isDeclared ? undefined : serviceProblem(checking.objects, service);
  return problem ?? (await discoveryProblem(checking, version)) ?? PASSED;
}

const PASSED: Availability = { status: "True", reason: "Passed", message: "all checks passed" };

function serviceProblem(objects: ObjectReader, { namespace, name, port }: ServiceTarget): Availability | undefined {
  const service = objects.get(SERVICES, { namespace, name }) as Service | undefined;
  const place = `service/${name} in "${namespace}"`;
  if (service === undefined) return unavailable("ServiceNotFound", `${place} is not present`);
  const { type = "ClusterIP", ports = [] } = service.spec ?? {};
  if (type !== "ClusterIP") return undefined;
  const found = ports.find((each) => each.port === port);
  if (found === undefined) return unavailable("ServicePortError", `${place} is not listening on port ${String(port)}`);
  const slices = objects.list(ENDPOINT_SLICES, namespace) as unknown as readonly EndpointSlice[];
  const own = slices.filter(({ metadata }) => metadata.labels?.["kubernetes.io/service-name"] === name);
  if (own.length === 0) return unavailable("EndpointsNotFound", `cannot find endpointslices for ${place}`);
  const portName = found.name ?? "";
  return own.some((slice) => isReady(slice, portName))
    ? undefined
    : unavailable("MissingEndpoints", `endpointslices for ${place} have no addresses with port name "${portName}"`);
}

// Both lists are null in slices that were written with empty ones.
function isReady({ endpoints, ports }: ReadSlice, portName: string): boolean {
  return (
    (endpoints ?? []).some(({ conditions }) => conditions?.ready !== false) &&
    (ports ?? []).some(({ name, port }) => name === portName && port !== undefined)
  );
}

type ReadSlice = { readonly [K in "endpoints" | "ports"]?: EndpointSlice[K] | null };

async function discoveryProblem(
  { objects, find, client, clock }: AvailabilityChecking,
  version: DelegatedVersion,
): Promise<Availability | undefined> {
  // Whoever answers is asked for nothing confidential, so that the certificate does not matter.
  const route = routeTo(objects, find, { ...version.backend, caBundle: "", isVerified: false });
  if (typeof route === "string") return unavailable("FailedDiscoveryCheck", route);
  const path = pathOf(version);
  const request = { path, accept: "*/*", user: DISCOVERY_USER };
  const outcome = await backendDocument({ client, clock, routeTo: () => route }, version, request);
  if (outcome.kind === "answer" && outcome.status >= 200 && outcome.status < 300) return undefined;
  const url = `https://${route.location}${path}`;
  const problem =
    outcome.kind === "failed"
      ? `Get ${JSON.stringify(url)}: ${outcome.message}`
      : `bad status from ${url}: ${String(outcome.status)}`;
  return unavailable("FailedDiscoveryCheck", `failing or missing response from ${url}: ${problem}`);
}

function unavailable(reason: string, message: string): Availability {
  return { status: "False", reason, message };
}
