import { objectOf, type Json, type Row, type RowContext } from "../row.ts";
import { MERGE } from "./job-steps.ts";
import { POD_SPEC_WITH_WARNINGS, WARNED_OBJECTS } from "./warned-objects.ts";

export const WARNING_ROWS: readonly Row[] = [
  {
    row: 495,
    title: "valid objects of built-in kinds that are unusual are answered with warnings",
    run: async (context) => {
      for (const [title, path, object] of WARNED_OBJECTS) {
        await warningsOf(context, title, { method: "POST", path: `${path}?dryRun=All`, body: object });
      }
    },
  },
  {
    row: 496,
    title: "updates, scales, and statuses have warnings of their own",
    run: async (context) => {
      const { namespace, quietly, cleanUp } = context;
      const core = `/api/v1/namespaces/${namespace}`;
      const apps = `/apis/apps/v1/namespaces/${namespace}`;
      const template = { metadata: { labels: { app: "a" } }, spec: POD_SPEC_WITH_WARNINGS };
      const selector = { matchLabels: { app: "a" } };
      const common = { metadata: { name: "a" } };
      for (const [collection, spec] of [
        [`${apps}/deployments`, { replicas: 0, selector, template }],
        [`${apps}/daemonsets`, { selector, template }],
        [`${core}/replicationcontrollers`, { replicas: 0, selector: { app: "a" }, template }],
      ] as const) {
        const place = `${collection}/a`;
        await quietly({ method: "POST", path: collection, body: { ...common, spec } });
        cleanUp(() => quietly({ method: "DELETE", path: place, body: { propagationPolicy: "Background" } }));
        await patch(context, place, { metadata: { labels: { a: "b" } } });
        await patch(context, place, { spec: { minReadySeconds: 1 } });
        await patch(context, place, { spec: { template: { metadata: { annotations: { a: "b" } } } } });
      }
      await patch(context, `${apps}/deployments/a/scale`, { spec: { replicas: 1 } });
      await patch(context, `${apps}/deployments/a/status`, { status: { replicas: 1 } });
      const ports = [{ port: 80 }];
      await quietly({
        method: "POST",
        path: `${core}/services`,
        body: { ...common, spec: { type: "LoadBalancer", ports } },
      });
      cleanUp(() => quietly({ method: "DELETE", path: `${core}/services/a` }));
      const ingress = [{ ip: "::ffff:1.2.3.4" }, { ip: "010.0.0.1" }, { ip: "FD00:0::1" }];
      await patch(context, `${core}/services/a/status`, { status: { loadBalancer: { ingress } } });
      const rules = [{ host: "a.example.com" }];
      const ingresses = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
      await quietly({ method: "POST", path: ingresses, body: { ...common, spec: { rules } } });
      cleanUp(() => quietly({ method: "DELETE", path: `${ingresses}/a` }));
      await patch(context, `${ingresses}/a/status`, { status: { loadBalancer: { ingress } } });
      const spec = { schedulerName: "none", containers: [{ name: "main", image: "main:1" }] };
      await quietly({ method: "POST", path: `${core}/pods`, body: { ...common, spec } });
      cleanUp(() => quietly({ method: "DELETE", path: `${core}/pods/a`, body: { gracePeriodSeconds: 0 } }));
      const podIPs = [{ ip: "010.0.0.1" }, { ip: "FD00::1" }];
      await patch(context, `${core}/pods/a/status`, { status: { podIPs, podIP: "010.0.0.1" } });
      await patch(context, `${core}/pods/a/status`, {
        status: { hostIP: "010.0.0.1", hostIPs: [{ ip: "010.0.0.1" }] },
      });
      await patch(context, `${core}/pods/a`, {
        metadata: { annotations: { "security.alpha.kubernetes.io/sysctls": "" } },
      });
      const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
      await quietly({
        method: "POST",
        path: jobs,
        body: { ...common, spec: { suspend: true, template: { spec: { ...spec, restartPolicy: "Never" } } } },
      });
      for (const [title, options] of [
        ["a Job is deleted without a policy", {}],
        ["a Job is deleted with orphanDependents", { orphanDependents: true }],
        ["a Job is deleted with a policy", { propagationPolicy: "Background" }],
      ] as const) {
        const body = { ...options, dryRun: ["All"] };
        await warningsOf(context, title, { method: "DELETE", path: `${jobs}/a`, body });
      }
      await warningsOf(context, "all Jobs are deleted without a policy", {
        method: "DELETE",
        path: `${jobs}?dryRun=All`,
      });
      await quietly({ method: "DELETE", path: `${jobs}/a`, body: { propagationPolicy: "Background" } });
    },
  },
  {
    row: 510,
    title: "owner references that are stated twice are warned of before admission, but in patches",
    run: async (context) => {
      const { namespace, quietly, note } = context;
      const path = `/api/v1/namespaces/${namespace}/configmaps`;
      // Dry runs alone have owners, since those that do not exist have their objects removed.
      const at = (name: string): string => `${path}/${name}?dryRun=All`;
      const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: "one" };
      const ownerReferences = [owner, { ...owner, name: "other", uid: "two" }, owner, owner];
      const body = (name: string): Json => ({ metadata: { name, ownerReferences } });
      const value = ownerReferences.slice(1);
      await quietly({ method: "POST", path, body: { metadata: { name: "a" } } });
      await warningsOf(context, "create", { method: "POST", path: `${path}?dryRun=All`, body: body("b") });
      await warningsOf(context, "update", { method: "PUT", path: at("a"), body: body("a") });
      await warningsOf(context, "update of nothing", { method: "PUT", path: at("b"), body: body("b") });
      await patch(context, at("a"), { metadata: { ownerReferences } });
      await warningsOf(context, "JSON patch", {
        method: "PATCH",
        path: at("a"),
        body: [{ op: "add", path: "/metadata/ownerReferences", value }],
        contentType: "application/json-patch+json",
      });
      const updated = await quietly({ method: "PUT", path: at("a"), body: body("a") });
      note("owners", objectOf(updated).metadata["ownerReferences"]);
    },
  },
];

async function patch(context: RowContext, path: string, body: Json): Promise<void> {
  const title = `${path.replace(/^.*\/row-\d+\//u, "")} ${JSON.stringify(body)}`;
  await warningsOf(context, title, { method: "PATCH", path, body, contentType: MERGE });
}

async function warningsOf(
  { quietly, note, namespace }: RowContext,
  title: string,
  call: {
    readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
    readonly path: string;
    readonly body?: unknown;
    readonly contentType?: string;
  },
): Promise<void> {
  const answer = await quietly({ ...call, path: call.path.replace("{namespace}", namespace) });
  const warnings = (answer.headers.get("warning") ?? "").split(/, (?=299 )/u);
  const { message } = answer.body as { readonly message?: string };
  // Go walks maps in any order.
  note(title, {
    status: answer.status,
    ...(answer.status < 400 ? {} : { message }),
    warnings: warnings.filter((text) => text !== "").toSorted(),
  });
}
