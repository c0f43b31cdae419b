import { deepEqual } from "@kubescaffold/schema";

import type { Json } from "../conformance/row.ts";
import type { VariedRequest } from "./random-requests.ts";
import type { Outcome } from "./validated-server.ts";

/** A difference that is accepted, with its reason. */
interface ListedDifference {
  readonly reason: string;
  readonly matches: (pair: ComparedOutcomes) => boolean;
}

interface ComparedOutcomes {
  readonly request: VariedRequest;
  readonly embedded: Outcome;
  readonly kubernetes: Outcome;
}

const LISTED: readonly ListedDifference[] = [
  {
    reason:
      "`metadata.generation` counts a change between an absent list or map and an empty one only where Go's structs keep it",
    matches: ({ request, embedded, kubernetes }) =>
      isDone(embedded) &&
      isDone(kubernetes) &&
      deepEqual(withoutGeneration(embedded.body), withoutGeneration(kubernetes.body)) &&
      deepEqual(contentOf(kubernetes.body), contentOf(request.stored.kubernetes)),
  },
  {
    reason:
      "an apply configuration whose values have other types than the fields is refused before it is merged, with 400 for 500",
    matches: ({ request, embedded, kubernetes }) =>
      request.verb === "apply" &&
      embedded.status === 400 &&
      kubernetes.status === 500 &&
      String(kubernetes.body["message"]).startsWith("failed to create typed patch object"),
  },
  {
    reason:
      "the empty list of rules of a policy of failures is shown as null once it is stored, and rules that forbid a list take an empty one",
    matches: ({ request, embedded, kubernetes }) =>
      request.edits.some(({ path, value }) => isOfEmptyList(path, value)) &&
      (embedded.status !== kubernetes.status || deepEqual(withoutEmpty(embedded.body), withoutEmpty(kubernetes.body))),
  },
  {
    reason: "a dry run of kube-apiserver gives two ports of a Service the same free port of the nodes",
    matches: ({ request, embedded, kubernetes }) =>
      request.base.kind === "Service" &&
      kubernetes.status === 422 &&
      !causesOf(embedded.body).some(isOfFreePort) &&
      causesOf(kubernetes.body).some(isOfFreePort),
  },
  {
    reason: "an absent request of a certificate and an empty one are the same in messages",
    matches: ({ request, embedded, kubernetes }) =>
      request.base.kind.startsWith("CertificateSigningRequest.") &&
      embedded.status === 422 &&
      kubernetes.status === 422 &&
      fieldsOf(embedded.body) === fieldsOf(kubernetes.body),
  },
  {
    reason: "addresses of a Service that are refused are followed by errors of other fields on one of the servers only",
    matches: ({ request, embedded, kubernetes }) =>
      request.base.kind === "Service" &&
      [embedded, kubernetes].every(({ status, body }) => status === 422 && causesOf(body).some(isOfAddresses)),
  },
];

/** Reports whether a difference is one that is accepted. */
export function isListed(pair: ComparedOutcomes): boolean {
  return LISTED.some(({ matches }) => matches(pair));
}

const isDone = ({ status }: Outcome): boolean => status === 200;

const TEMPLATE_GENERATION = "deprecated.daemonset.template.generation";

function withoutGeneration(body: Json): Json {
  const { generation: _generation, annotations, ...metadata } = body["metadata"] as Json;
  const { [TEMPLATE_GENERATION]: _count, ...others } = (annotations ?? {}) as Json;
  return { ...body, metadata: { ...metadata, annotations: others } };
}

function contentOf({ metadata: _metadata, status: _status, ...content }: Json): unknown {
  return withoutEmpty(content);
}

// Absent and empty lists and maps are equal here, and so are absent and empty texts.
function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(withoutEmpty);
  if (typeof value !== "object" || value === null) return value === "" || value === null ? undefined : value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  const kept = members.filter(([, member]) => member !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

function causesOf(body: Json): readonly Json[] {
  return ((body["details"] as Json | undefined)?.["causes"] ?? []) as readonly Json[];
}

const isOfAddresses = ({ field }: Json): boolean =>
  /^spec\.(clusterIPs?|ipFamilies|ipFamilyPolicy)/u.test(String(field));

function isOfEmptyList(path: readonly unknown[], value: unknown): boolean {
  const text = JSON.stringify({ [String(path.at(-1))]: value });
  return /"(?:claims|ports|resizePolicy|rules|podFailurePolicy)":(?:\[\]|\{"rules":\[\]\})/u.test(text);
}

const isOfFreePort = ({ field, message }: Json): boolean =>
  String(field).endsWith(".nodePort") && String(message).startsWith("Duplicate value");

const fieldsOf = (body: Json): string =>
  JSON.stringify(
    causesOf(body)
      .map(({ field }) => String(field))
      .toSorted(),
  );
