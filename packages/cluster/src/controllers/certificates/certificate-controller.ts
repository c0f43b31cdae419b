import { X509Certificate } from "node:crypto";

import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  type ReadRequest,
  type RequestSigner,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, toTime } from "@kubescaffold/k8s";
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from "@kubescaffold/k8s/certificates/v1";

import { readStored } from "../workload/workload-objects.ts";
import { SIGNING_REQUESTS } from "./certificate-resources.ts";
import { kubeletClientProblem } from "./kubelet-requests.ts";
import { certificateTerms, isOwnSigner, KUBELET_CLIENT_SIGNER, signerProblem } from "./signing.ts";

// Names of requests are not empty.
const CLEAN = "";
const HOUR_MS = 3_600_000;
const CLEANING_MS = HOUR_MS;
const PENDING_MS = 24 * HOUR_MS;
// Roles may be bound later.
const REVIEW_MS = 10_000;

/** Approves the requests of kubelets, signs approved requests with the authority of the cluster, and deletes old ones. */
export function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { requestSigner: signer }: { readonly requestSigner: RequestSigner },
): InProcessController {
  const work: CertificateWork = {
    context,
    client: context.clientFor(self.user),
    signer,
  };
  return storeController({
    name: self.name,
    context,
    watches: [SIGNING_REQUESTS],
    keysOf: ({ object, kind }) => (kind === "deleted" ? [] : [object.metadata.name ?? ""]),
    initialKeys: () => [CLEAN, ...context.objects.list(SIGNING_REQUESTS).map(({ metadata }) => metadata.name ?? "")],
    work: async (name, worker) => {
      if (name === CLEAN) await cleanUp(work, worker);
      else await handle(work, name, worker);
    },
  });
}

interface CertificateWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly signer: RequestSigner;
}

async function cleanUp({ context, client }: CertificateWork, worker: KeyedWorker): Promise<void> {
  worker.addAfter(CLEAN, CLEANING_MS);
  for (const request of context.objects.list(SIGNING_REQUESTS) as unknown as readonly CertificateSigningRequest[]) {
    if (!isOutdated(request, context.clock.now())) continue;
    try {
      await client.delete({ ...SIGNING_REQUESTS, namespace: "", name: request.metadata.name ?? "" });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

// An hour after its decision, a day after its creation or its approval without a certificate, or with an expired certificate.
function isOutdated({ metadata, status }: CertificateSigningRequest, now: number): boolean {
  const { conditions = [], certificate } = status ?? {};
  const isIssued = certificate !== undefined && certificate !== "";
  if (conditions.length === 0) return isOlder(metadata.creationTimestamp, PENDING_MS, now);
  return conditions.some(({ type, lastUpdateTime }) => {
    if (type === "Denied" || type === "Failed") return isOlder(lastUpdateTime, HOUR_MS, now);
    if (type !== "Approved") return false;
    if (!isIssued) return isOlder(lastUpdateTime, PENDING_MS, now);
    return isOlder(lastUpdateTime, HOUR_MS, now) || hasExpired(certificate, now);
  });
}

function isOlder(time: string | null | undefined, ageMs: number, now: number): boolean {
  return time !== undefined && time !== null && now - Date.parse(time) > ageMs;
}

function hasExpired(certificate: string, now: number): boolean {
  try {
    return now > Date.parse(new X509Certificate(Buffer.from(certificate, "base64")).validTo);
  } catch {
    // Signers may issue anything.
    return false;
  }
}

async function handle(work: CertificateWork, name: string, worker: KeyedWorker): Promise<void> {
  const request = readStored<CertificateSigningRequest>(work.context, SIGNING_REQUESTS, { namespace: "", name });
  const { spec, status } = request ?? {};
  if (request === undefined || spec === undefined || !isOwnSigner(spec.signerName)) return;
  const isTrue = (type: string): boolean =>
    (status?.conditions ?? []).some((each) => each.type === type && each.status === "True");
  const isIssued = (status?.certificate ?? "") !== "";
  if (isIssued || isTrue("Denied") || isTrue("Failed")) return;
  const isApproved = isTrue("Approved");
  if (!isApproved && spec.signerName !== KUBELET_CLIENT_SIGNER) return;
  const read = await work.signer.read(pemOf(spec));
  if (read === undefined) return;
  if (isApproved) await sign(work, request, read);
  else if (!(await approve(work, request, read))) worker.addAfter(name, REVIEW_MS);
}

type Spec = NonNullable<CertificateSigningRequest["spec"]>;

function pemOf({ request }: Spec): string {
  return Buffer.from(request, "base64").toString("latin1");
}

async function sign(
  { context, client, signer }: CertificateWork,
  request: CertificateSigningRequest,
  read: ReadRequest,
): Promise<void> {
  const { spec, metadata } = request;
  if (spec === undefined) return;
  const now = context.clock.now();
  const problem = signerProblem(spec, read);
  const target = { ...SIGNING_REQUESTS, namespace: "", name: metadata.name ?? "", subresource: "status" };
  if (problem !== undefined) {
    const failure = {
      type: "Failed",
      status: "True",
      reason: "SignerValidationFailure",
      message: problem,
      lastUpdateTime: toTime(now),
    } as const;
    await client.update(target, withCondition(request, failure) as never);
    return;
  }
  const pem = await signer.sign(pemOf(spec), certificateTerms(spec, now));
  const certificate = Buffer.from(pem, "latin1").toString("base64");
  await client.update(target, { ...request, status: { ...request.status, certificate } } as never);
}

/** Approves the request of a kubelet whose user may have it; reports whether nothing is left to do. */
async function approve(
  { context, client }: CertificateWork,
  request: CertificateSigningRequest,
  read: ReadRequest,
): Promise<boolean> {
  const { spec, metadata } = request;
  if (spec === undefined || kubeletClientProblem(read, spec.usages ?? []) !== undefined) return true;
  const reviews = [
    ...(spec.username === read.commonName ? [["selfnodeclient", "self kubelet"] as const] : []),
    ["nodeclient", "kubelet"] as const,
  ];
  for (const [subresource, whose] of reviews) {
    if (!(await isAllowed(context, spec, subresource))) continue;
    const message = `Auto approving ${whose} client certificate after SubjectAccessReview.`;
    const approval = { type: "Approved", status: "True", reason: "AutoApproved", message } as const;
    const target = { ...SIGNING_REQUESTS, namespace: "", name: metadata.name ?? "", subresource: "approval" };
    await client.update(target, withCondition(request, approval) as never);
    return true;
  }
  return false;
}

async function isAllowed({ authorizer }: ServerContext, spec: Spec, subresource: string): Promise<boolean> {
  const { username = "", uid, groups = [], extra } = spec;
  const user = {
    name: username,
    groups,
    ...(uid === undefined ? {} : { uid }),
    ...(extra === undefined ? {} : { extra }),
  };
  const { group, resource } = SIGNING_REQUESTS;
  const place = { group, version: "*", resource, subresource, namespace: "", name: "" };
  const decision = await authorizer.authorize({ user, verb: "create", isResourceRequest: true, path: "", ...place });
  return decision.allowed;
}

function withCondition(
  request: CertificateSigningRequest,
  condition: CertificateSigningRequestCondition,
): CertificateSigningRequest {
  const { status } = request;
  return { ...request, status: { ...status, conditions: [...(status?.conditions ?? []), condition] } };
}
