import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** The group versions that a server has with a feature gate and `--runtime-config` alone; the server that is read must have them. */
export const GATED = new Set(["admissionregistration.k8s.io/v1alpha1", "admissionregistration.k8s.io/v1beta1"]);

const SERVED = /^(?:api\/v\d+|apis\/[^/]+\/v\d+)$/;

/**
 * Reads the OpenAPI v3 documents of the stable group-versions, from a folder of JSON files (`apis_apps_v1.json`) or
 * from a live server (for one that asks who you are, the address of `kubectl proxy`), without descriptions.
 */
export async function readOpenApi(source) {
  const documents = /^https?:/.test(source) ? await fetchDocuments(source) : await readDocuments(source);
  return documents
    .map(({ path, document }) => ({ ...groupVersionOf(path), ...withoutDescriptions(document) }))
    .toSorted((a, b) => compare(a.group, b.group) || compare(a.version, b.version));
}

async function readDocuments(folder) {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).toSorted();
  return Promise.all(
    names.map(async (name) => ({
      path: name.slice(0, -".json".length).replaceAll("_", "/"),
      document: JSON.parse(await readFile(join(folder, name), "utf8")),
    })),
  );
}

async function fetchDocuments(server) {
  const index = await fetchJson(new URL("openapi/v3", withSlash(server)));
  const served = Object.entries(index.paths).filter(
    ([path]) => SERVED.test(path) || GATED.has(path.slice("apis/".length)),
  );
  return Promise.all(
    served.map(async ([path, { serverRelativeURL }]) => ({
      path,
      document: await fetchJson(new URL(serverRelativeURL, withSlash(server))),
    })),
  );
}

async function fetchJson(url) {
  const response = await fetch(url, { headers: { Accept: "application/json" } });
  if (!response.ok) throw new TypeError(`${url} answered ${response.status}`);
  return response.json();
}

function groupVersionOf(path) {
  const parts = path.split("/");
  return parts[0] === "api" ? { group: "", version: parts[1] } : { group: parts[1], version: parts[2] };
}

function withoutDescriptions({ components, paths }) {
  return {
    schemas: strip(components.schemas),
    paths: Array.isArray(paths) ? paths : Object.keys(paths),
    operations: Array.isArray(paths) ? undefined : paths,
  };
}

// A property may be called description, so only texts go. Members are sorted, for servers do not always sort them.
function strip(value) {
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !(key === "description" && typeof item === "string"))
      .toSorted(([a], [b]) => compare(a, b))
      .map(([key, item]) => [key, strip(item)]),
  );
}

function withSlash(server) {
  return server.endsWith("/") ? server : `${server}/`;
}

function compare(a, b) {
  return a < b ? -1 : Number(a > b);
}
