import { closeEnvelope, definition, type Endpoint, endpointsOf, storedEndpointsOf } from "../body-endpoints.ts";
import type { Answer, Call, Json, Row, RowContext } from "../row.ts";
import { installCrd } from "./install-crd.ts";

const YAML = "application/yaml";
const PROTOBUF = "application/vnd.kubernetes.protobuf";

export const BODY_KIND_ROWS: readonly Row[] = [
  {
    row: 600,
    title:
      "the endpoint decides the kind that a body leaves out, for each resource without storage and each subresource",
    run: async (context) => {
      for (const endpoint of await endpointsOf(context)) {
        const isUsual = endpoint.path.endsWith("/status");
        await compare(context, endpoint, isUsual ? usualBodies(endpoint) : allBodies(endpoint));
      }
    },
  },
  {
    row: 601,
    title: "the endpoint decides the kind that the body of a stored kind leaves out",
    run: async (context) => {
      const { namespace } = context;
      for (const [apiVersion, kind, plural] of STORED) {
        const folder = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
        const path = `${folder}/namespaces/${namespace}/${plural}`;
        const full = { apiVersion, kind, metadata: { name: "absent" } };
        const create: Endpoint = { method: "POST", path: `${path}?dryRun=All`, full };
        const update: Endpoint = { method: "PUT", path: `${path}/absent?dryRun=All`, full };
        const options = { apiVersion: "v1", kind: "DeleteOptions" };
        const remove: Endpoint = { method: "DELETE", path: `${path}/absent?dryRun=All`, full: options };
        for (const endpoint of [create, update, remove]) await compare(context, endpoint, allBodies(endpoint));
      }
    },
  },
  {
    row: 602,
    title: "the endpoint does not decide the kind of a custom resource, but that of its scale",
    run: async (context) => {
      const { namespace } = context;
      const group = "row602.example.com";
      await installCrd(context, definition(group));
      const folder = `/apis/${group}/v1/namespaces/${namespace}/pumps`;
      await context.eventually({ path: folder }, ({ status }) => status === 200);
      const full = { apiVersion: `${group}/v1`, kind: "Pump", metadata: { name: "absent" } };
      const scale = {
        apiVersion: "autoscaling/v1",
        kind: "Scale",
        metadata: { name: "absent" },
        spec: { replicas: 1 },
      };
      const endpoints: readonly Endpoint[] = [
        { method: "POST", path: `${folder}?dryRun=All`, full },
        { method: "PUT", path: `${folder}/absent?dryRun=All`, full },
        { method: "PUT", path: `${folder}/absent/status?dryRun=All`, full },
        { method: "PUT", path: `${folder}/absent/scale?dryRun=All`, full: scale },
        { method: "DELETE", path: `${folder}/absent`, full: { apiVersion: "v1", kind: "DeleteOptions" } },
      ];
      for (const endpoint of endpoints) {
        const isScale = endpoint.path.includes("/scale");
        // The connection of a request in protocol buffers for a custom resource ends without an answer.
        const bodies = Object.entries(allBodies(endpoint)).filter(([name]) => isScale || !name.startsWith("protobuf"));
        await compare(context, endpoint, Object.fromEntries(bodies));
      }
    },
  },
  {
    row: 603,
    title: "an update creates an object of the kinds that clients may create so",
    run: async (context) => {
      const created: string[] = [];
      for (const { method, path, full } of await storedEndpointsOf(context)) {
        const { status } = await context.quietly({ method, path: `${path}?dryRun=All`, body: full });
        if (status !== 404) created.push(path);
      }
      context.note("not missing", created);
    },
  },
];

const STORED = [
  ["v1", "ConfigMap", "configmaps"],
  ["apps/v1", "Deployment", "deployments"],
  ["autoscaling/v1", "HorizontalPodAutoscaler", "horizontalpodautoscalers"],
  ["coordination.k8s.io/v1", "Lease", "leases"],
] as const;

type Body = Pick<Call, "body" | "text" | "bytes" | "contentType">;
type Bodies = Readonly<Record<string, Body>>;

function usualBodies({ full }: Endpoint): Bodies {
  const { kind, apiVersion, ...rest } = full;
  return {
    full: { body: full },
    "no kind and no version": { body: rest },
    "no kind": { body: { apiVersion, ...rest } },
    "no version": { body: { kind, ...rest } },
    "another version": { body: { ...full, apiVersion: "apps/v1beta1" } },
    "another kind": { body: { ...full, apiVersion: "v1", kind: "ConfigMap" } },
    empty: { text: "" },
    null: { text: "null" },
    "a list": { text: "[]" },
  };
}

function allBodies(endpoint: Endpoint): Bodies {
  const { full } = endpoint;
  const { kind, apiVersion, ...rest } = full as Json & { readonly kind: string; readonly apiVersion: string };
  const group = apiVersion.includes("/") ? `${apiVersion.split("/")[0] ?? ""}/` : "";
  return {
    ...usualBodies(endpoint),
    "empty texts": { body: { kind: "", apiVersion: "", ...rest } },
    nulls: { body: { kind: null, apiVersion: null, ...rest } },
    "a version that was never served": { body: { ...full, apiVersion: `${group}v9` } },
    "a group alone": { body: { ...full, apiVersion: group === "" ? "/" : group } },
    "a group alone, no kind": { body: { apiVersion: group === "" ? "/" : group, ...rest } },
    "a version alone": { body: { ...full, apiVersion: "/v1" } },
    "the version of the core group": { body: { ...full, apiVersion: "v1" } },
    "three parts": { body: { ...full, apiVersion: "a/b/c" } },
    "an unknown kind": { body: { ...full, kind: "Gizmo" } },
    "a list of the kind": { body: { ...full, kind: `${kind}List` } },
    "options of a delete": { body: { ...full, kind: "DeleteOptions" } },
    "the kind of an older version": { body: { ...full, ...OLDER[kind] } },
    "another kind of the version": { body: { ...full, kind: "Status" } },
    "a number as kind": { body: { ...full, kind: 5 } },
    "a list as version": { body: { ...full, apiVersion: [] } },
    "an empty object": { text: "{}" },
    "white space": { text: " \n" },
    "two objects": { text: "{} {}" },
    "a text": { text: '"text"' },
    "a number": { text: "5" },
    "YAML without a kind": { text: yaml(rest), contentType: YAML },
    "YAML of another kind": { text: yaml({ ...full, apiVersion: "v1", kind: "ConfigMap" }), contentType: YAML },
    "YAML: empty": { text: "", contentType: YAML },
    "YAML: null": { text: "null", contentType: YAML },
    "YAML: a comment": { text: "# nothing", contentType: YAML },
    "YAML: a list": { text: "- a", contentType: YAML },
    "YAML: a text": { text: "text", contentType: YAML },
    "protobuf: empty": { bytes: new Uint8Array(), contentType: PROTOBUF },
    "protobuf: without a kind": { bytes: closeEnvelope({}), contentType: PROTOBUF },
    "protobuf: the kind": { bytes: closeEnvelope({ apiVersion, kind }), contentType: PROTOBUF },
    "protobuf: no version": { bytes: closeEnvelope({ kind }), contentType: PROTOBUF },
    "protobuf: no kind": { bytes: closeEnvelope({ apiVersion }), contentType: PROTOBUF },
    "protobuf: another version": { bytes: closeEnvelope({ apiVersion: "apps/v1beta1", kind }), contentType: PROTOBUF },
    "protobuf: another kind": { bytes: closeEnvelope({ apiVersion: "v1", kind: "ConfigMap" }), contentType: PROTOBUF },
    "protobuf: an unknown kind": { bytes: closeEnvelope({ apiVersion, kind: "Gizmo" }), contentType: PROTOBUF },
  };
}

// Versions that the server knows without serving them.
const OLDER: Readonly<Record<string, { readonly apiVersion: string; readonly kind?: string }>> = {
  Eviction: { apiVersion: "policy/v1beta1" },
  Scale: { apiVersion: "extensions/v1beta1" },
  SelfSubjectAccessReview: { apiVersion: "authorization.k8s.io/v1beta1" },
  SubjectAccessReview: { apiVersion: "authorization.k8s.io/v1beta1" },
  LocalSubjectAccessReview: { apiVersion: "authorization.k8s.io/v1beta1" },
  SelfSubjectRulesReview: { apiVersion: "authorization.k8s.io/v1beta1" },
  TokenReview: { apiVersion: "authentication.k8s.io/v1beta1" },
  SelfSubjectReview: { apiVersion: "authentication.k8s.io/v1alpha1" },
  CertificateSigningRequest: { apiVersion: "certificates.k8s.io/v1beta1" },
  Deployment: { apiVersion: "extensions/v1beta1" },
  HorizontalPodAutoscaler: { apiVersion: "autoscaling/v2beta2" },
  Lease: { apiVersion: "coordination.k8s.io/v1beta1" },
  DeleteOptions: { apiVersion: "extensions/v1beta1" },
};

function yaml(fields: Json): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join("");
}

async function compare(context: RowContext, endpoint: Endpoint, bodies: Bodies): Promise<void> {
  const { method, path } = endpoint;
  const answers: Record<string, string> = {};
  for (const [name, body] of Object.entries(bodies)) {
    answers[name] = short(await context.quietly({ method, path, ...body }));
  }
  context.note(`${method} ${path}`, answers);
}

function short({ status, body }: Answer): string {
  const { kind = "", apiVersion = "", message } = body as Readonly<Record<string, string>>;
  return `${String(status)} ${message ?? `${apiVersion} ${kind}`}`;
}
