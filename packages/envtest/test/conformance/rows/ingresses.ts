import type { Json, Row } from "../row.ts";

export const INGRESS_ROWS: readonly Row[] = [
  {
    row: 160,
    title: "an Ingress is refused for its hosts, paths, backends, certificates, and class",
    run: async ({ namespace, send }) => {
      const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
      const create = async (step: string, spec: Json, metadata: Json = {}): Promise<void> => {
        const body = { metadata: { name: step.replaceAll(" ", "-"), ...metadata }, spec };
        await send(step, { method: "POST", path, body });
      };
      await create("neither rules nor a backend", {});
      for (const [index, host] of HOSTS.entries()) await create(`host ${String(index)}`, { rules: [{ host }] });
      for (const [index, rule] of PATHS.entries()) {
        const backend = { service: { name: "a", port: { number: 80 } } };
        await create(`path ${String(index)}`, { rules: [{ http: { paths: [{ ...rule, backend }] } }] });
      }
      await create("no paths", { rules: [{ http: { paths: [] } }] });
      for (const [index, defaultBackend] of BACKENDS.entries())
        await create(`backend ${String(index)}`, { defaultBackend });
      await create("certificates", {
        ...VALID,
        tls: [{ hosts: ["a.example.com", "*.example.com", "*", "A", ""], secretName: "a" }, { secretName: "A_b" }, {}],
      });
      await create("class", { ...VALID, ingressClassName: "A" });
      await create("classes that differ", { ...VALID, ingressClassName: "a" }, { annotations: { [CLASS]: "b" } });
      await create("classes that are equal", { ...VALID, ingressClassName: "a" }, { annotations: { [CLASS]: "a" } });
      await create("valid", VALID);
      await send("an update to an address", {
        method: "PATCH",
        path: `${path}/valid`,
        body: { spec: { rules: [{ host: "10.0.0.1" }] } },
        contentType: "application/merge-patch+json",
      });
      await send("an update to other classes", {
        method: "PATCH",
        path: `${path}/valid`,
        body: { metadata: { annotations: { [CLASS]: "b" } }, spec: { ingressClassName: "a" } },
        contentType: "application/merge-patch+json",
      });
    },
  },
];

const CLASS = "kubernetes.io/ingress.class";
const VALID = { rules: [{ host: "a.example.com" }] };
const HOSTS = [
  "a.example.com",
  "*.example.com",
  "not a host",
  "A.example.com",
  "10.0.0.1",
  "::1",
  "*",
  "a.*.com",
  "*.",
  "a".repeat(254),
];
const PATHS: readonly Json[] = [
  { path: "/", pathType: "Prefix" },
  { path: "/a" },
  { pathType: "Prefix" },
  { path: "a", pathType: "Exact" },
  { path: "/a//b/./c/../d%2fe%2F", pathType: "Prefix" },
  { path: "/a/..", pathType: "Prefix" },
  { path: "/a/.", pathType: "Exact" },
  { pathType: "ImplementationSpecific" },
  { path: "a/..", pathType: "ImplementationSpecific" },
  { path: "/a//b", pathType: "ImplementationSpecific" },
  { path: "/", pathType: "Regex" },
];
const BACKENDS: readonly Json[] = [
  {},
  { service: { name: "a", port: { number: 80 } }, resource: { kind: "Bucket", name: "a" } },
  { service: { name: "", port: { number: 80 } } },
  { service: { name: "1a", port: { number: 80 } } },
  { service: { name: "a" } },
  { service: { name: "a", port: { number: 80, name: "http" } } },
  { service: { name: "a", port: { number: 70_000 } } },
  { service: { name: "a", port: { name: "no--port-of-mine-" } } },
  { resource: { apiGroup: "example.com", kind: "Bucket", name: "a" } },
  { resource: { apiGroup: "A", kind: "", name: "" } },
  { resource: { kind: "a/b", name: ".." } },
];
