import { type FieldError, newConflict, newInvalid, newNotFound, toTime } from "@kubescaffold/k8s";

import type { VirtualCreate, VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { ApiObject } from "../storage/api-object.ts";
import { boundObjects, type BoundObjectReference } from "./bound-object.ts";
import type { ServiceAccountTokenSigner } from "./service-account-token.ts";

const SERVICE_ACCOUNTS = { group: "", resource: "serviceaccounts" } as const;
const TOKEN_REQUEST = { group: "authentication.k8s.io", version: "v1", kind: "TokenRequest" } as const;
const DEFAULT_SECONDS = 3600;
const SHORTEST_SECONDS = 600;
const LONGEST_SECONDS = 2 ** 32;
// What kubelets request for the tokens of Pods.
const WARNING_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 60 * 60;

/** Answers requests for a token of a service account. */
export function tokenRequests(context: ServerContext, signer: ServiceAccountTokenSigner): VirtualResource {
  return {
    ...SERVICE_ACCOUNTS,
    version: "v1",
    subresource: "token",
    kind: TOKEN_REQUEST,
    create: (request) => issueToken(context, signer, request),
  };
}

interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: BoundObjectReference | null;
}

/** Issues a token; the result has it in its status. Fails: with a status as kube-apiserver. */
export function issueToken(
  context: ServerContext,
  signer: ServiceAccountTokenSigner,
  request: VirtualCreate,
): ApiObject {
  const account = context.objects.get(SERVICE_ACCOUNTS, request);
  if (account === undefined) throw newNotFound(SERVICE_ACCOUNTS, request.name);
  const spec = (request.object["spec"] ?? {}) as TokenRequestSpec;
  checkName(request);
  checkUid(request, account);
  const seconds = checkedSeconds(spec);
  const ref = spec.boundObjectRef ?? undefined;
  const bound = ref === undefined ? {} : boundObjects(context, request, ref);
  const issuedAt = Math.floor(context.clock.now() / 1000);
  const audiences = spec.audiences === undefined || spec.audiences.length === 0 ? signer.audiences : spec.audiences;
  // Clients that do not renew the token of their Pod fail only after a year.
  const isExtended =
    bound.pod !== undefined &&
    seconds === WARNING_SECONDS &&
    audiences.every((each) => signer.audiences.includes(each));
  const tokenId = context.identities.newUid("token");
  request.annotate?.("authentication.kubernetes.io/issued-credential-id", `JTI=${tokenId}`);
  const token = signer.sign({
    namespace: request.namespace,
    name: request.name,
    uid: account.metadata.uid ?? "",
    audiences,
    issuedAt,
    expiresAt: issuedAt + (isExtended ? EXTENDED_SECONDS : seconds),
    ...(isExtended ? { warnAfter: issuedAt + seconds } : {}),
    bound,
    tokenId,
  });
  return {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: {
      name: request.name,
      namespace: request.namespace,
      ...(account.metadata.uid === undefined ? {} : { uid: account.metadata.uid }),
      creationTimestamp: toTime(context.clock.now()),
    },
    spec: { audiences, expirationSeconds: seconds, boundObjectRef: ref ?? null },
    status: { token, expirationTimestamp: toTime((issuedAt + seconds) * 1000) },
  };
}

function checkName({ object, name }: VirtualCreate): void {
  const stated = object.metadata.name ?? "";
  if (stated === "" || stated === name) return;
  const detail = "must match the service account name if specified";
  throw invalid(name, { type: "FieldValueInvalid", field: "metadata.name", badValue: stated, detail });
}

function checkUid({ object, name }: VirtualCreate, account: ApiObject): void {
  const stated = object.metadata.uid ?? "";
  const uid = account.metadata.uid ?? "";
  if (stated === "" || stated === uid) return;
  const reason = `the UID in the token request (${stated}) does not match the UID of the service account (${uid})`;
  throw newConflict({ group: TOKEN_REQUEST.group, resource: TOKEN_REQUEST.kind }, name, reason);
}

function checkedSeconds({ expirationSeconds: seconds = DEFAULT_SECONDS }: TokenRequestSpec): number {
  const detail =
    seconds < SHORTEST_SECONDS
      ? "may not specify a duration less than 10 minutes"
      : seconds > LONGEST_SECONDS
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (detail === undefined) return seconds;
  throw invalid("", { type: "FieldValueInvalid", field: "spec.expirationSeconds", badValue: seconds, detail });
}

function invalid(name: string, error: FieldError): Error {
  return newInvalid({ group: TOKEN_REQUEST.group, kind: TOKEN_REQUEST.kind }, name, [error]);
}
