// Serves ConfigMaps of about 3 KB from memory: discovery, lists, and watches, as initial events unless MODE is "list". Prints its address.
import { createServer } from "node:http";

const COUNT = Number(process.argv[2] ?? 1000);
const STREAMS = process.argv[3] !== "list";
const VERSION = "1000000";

const objects = Array.from({ length: COUNT }, (_, index) => JSON.stringify(configMap(index)));

const server = createServer((request, response) => {
  const url = new URL(request.url ?? "/", "http://bench");
  response.setHeader("content-type", "application/json");
  if (!url.pathname.endsWith("/configmaps")) {
    response.end(JSON.stringify(discovery(url.pathname)));
  } else if (url.searchParams.get("watch") !== "true") {
    void sendAll(response, list());
  } else if (url.searchParams.get("sendInitialEvents") === "true" && !STREAMS) {
    response.statusCode = 422;
    response.end(JSON.stringify({ kind: "Status", apiVersion: "v1", status: "Failure", reason: "Invalid", code: 422 }));
  } else {
    void sendAll(response, url.searchParams.has("sendInitialEvents") ? initialEvents() : [], false);
  }
});

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${String(server.address().port)}\n`);
});

async function sendAll(response, pieces, ends = true) {
  response.flushHeaders();
  for (const piece of pieces) {
    if (!response.write(piece)) await new Promise((resolve) => response.once("drain", resolve));
  }
  if (ends) response.end();
}

// Like kube-apiserver, a list at version 0 comes at once, whatever its limit.
function* list() {
  yield `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"${VERSION}"},"items":[`;
  for (const [index, object] of objects.entries()) yield index === 0 ? object : `,${object}`;
  yield "]}";
}

function* initialEvents() {
  for (const object of objects) yield `{"type":"ADDED","object":${object}}\n`;
  const annotations = { "k8s.io/initial-events-end": "true" };
  const bookmark = { kind: "ConfigMap", apiVersion: "v1", metadata: { resourceVersion: VERSION, annotations } };
  yield `${JSON.stringify({ type: "BOOKMARK", object: bookmark })}\n`;
}

function configMap(index) {
  const keys = ["one", "two", "three", "four", "five", "six"];
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: {
      name: `item-${String(index)}`,
      namespace: `bench-${String(index % 10)}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      resourceVersion: String(index + 1),
      creationTimestamp: "2026-01-01T00:00:00Z",
      labels: { app: "bench", tier: `t${String(index % 5)}` },
      managedFields: [
        {
          manager: "bench",
          operation: "Update",
          apiVersion: "v1",
          time: "2026-01-01T00:00:00Z",
          fieldsType: "FieldsV1",
          fieldsV1: { "f:data": Object.fromEntries([[".", {}], ...keys.map((key) => [`f:${key}`, {}])]) },
        },
      ],
    },
    data: Object.fromEntries(keys.map((key) => [key, `${key} ${"value ".repeat(68)}`])),
  };
}

function discovery(path) {
  const resource = {
    name: "configmaps",
    singularName: "",
    kind: "ConfigMap",
    namespaced: true,
    verbs: ["list", "watch"],
  };
  if (path === "/api/v1") {
    return { kind: "APIResourceList", groupVersion: "v1", resources: [resource] };
  }
  return path === "/api" ? { kind: "APIVersions", versions: ["v1"] } : { kind: "APIGroupList", groups: [] };
}
