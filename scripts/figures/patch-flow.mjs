// PATCH: a merge patch on a custom resource, from the server's entry for requests in the process to the write to its storage.
import { createApiServer } from "@kubescaffold/apiserver";

import { CallCounter, filesOf } from "./called-files.mjs";

const GROUP_RESOURCE = { group: "example.com", resource: "foos" };
const FOOS = "/apis/example.com/v1/namespaces/default/foos";

/** Returns the files that a patch passes through. */
export async function patchFlow() {
  const server = createApiServer();
  await call(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
  await server.idle();
  await call(server, "POST", FOOS, { ...FOO, metadata: { name: "one" } });
  // What a server does once for each resource does not count.
  await call(server, "PATCH", `${FOOS}/one`, { spec: { size: 2 } });
  const counter = new CallCounter();
  let files;
  const stop = server.context.objects.observe(GROUP_RESOURCE, () => {
    files = counter.stop();
  });
  const request = requestOf("PATCH", `${FOOS}/one`, { spec: { size: 3 } });
  counter.start();
  const answer = await server.handle(request);
  stop();
  await server.close();
  if (!answer.ok || files === undefined) throw new Error(`cannot patch: ${await answer.text()}`);
  return filesOf(files, ["packages/apiserver/", "packages/schema/", "packages/k8s/", "packages/platform/"]);
}

async function call(server, method, path, body) {
  const answer = await server.handle(requestOf(method, path, body));
  if (!answer.ok) throw new Error(`cannot ${method} ${path}: ${await answer.text()}`);
}

function requestOf(method, path, body) {
  const type = method === "PATCH" ? "application/merge-patch+json" : "application/json";
  const options = { method, headers: { "Content-Type": type }, body: JSON.stringify(body) };
  return new Request(`http://server.test${path}`, options);
}

const DEFINITION = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "foos.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "foos", kind: "Foo" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", properties: { size: { type: "integer" } } } },
          },
        },
      },
    ],
  },
};

const FOO = { apiVersion: "example.com/v1", kind: "Foo", spec: { size: 1 } };
