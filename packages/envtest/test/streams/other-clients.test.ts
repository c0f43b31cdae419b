import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { kubeconfigOf } from "../../src/kubeconfig.ts";
import { runPod } from "./stream-fixtures.ts";

// `npm run clients` installs the clients here.
const CLIENTS = path.join(homedir(), ".cache", "kubescaffold", "clients");
const PYTHON = path.join(CLIENTS, "python", "bin", "python");
const JAVASCRIPT = path.join(CLIENTS, "javascript");

let cluster: EmbeddedCluster;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "other-clients-"));
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.server.start();
  cluster.images.define("app:*", {
    run: async ({ ports, signal }) => {
      ports.listen(80, (connection) => {
        connection.on("data", (data: Buffer) => connection.end(`echo ${data.toString()}`));
      });
      await once(signal, "abort");
    },
    exec: async ({ stdout, command }) => {
      stdout.write(`ran ${command.join(" ")}`);
      return command.includes("fail") ? 3 : 0;
    },
  });
  await runPod(cluster, "p");
  const { config } = await cluster.listen({ tls: true });
  await writeFile(path.join(folder, "kubeconfig"), kubeconfigOf(config));
});

afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});

const EXPECTED = { review: true, exec: "ran echo hi", code: 3, forwarded: "echo ping" };

const IN_PYTHON = `
import json, sys
from kubernetes import client, config
from kubernetes.stream import stream, portforward
config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
attributes = client.V1ResourceAttributes(verb="get", resource="pods", namespace="default")
review = client.AuthorizationV1Api().create_self_subject_access_review(
    client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes)))
output = stream(core.connect_get_namespaced_pod_exec, "p", "default", command=["echo", "hi"], stdout=True, stderr=True)
failing = stream(core.connect_get_namespaced_pod_exec, "p", "default", command=["fail"], stdout=True, stderr=True, _preload_content=False)
failing.run_forever()
forward = portforward(core.connect_get_namespaced_pod_portforward, "p", "default", ports="80")
socket = forward.socket(80)
socket.sendall(b"ping")
data = b""
while len(data) < len("echo ping"):
    data += socket.recv(100)
print(json.dumps({"review": review.status.allowed, "exec": output, "code": failing.returncode, "forwarded": data.decode()}))
`;

const IN_JAVASCRIPT = `
import { PassThrough } from "node:stream";
import { AuthorizationV1Api, Exec, KubeConfig, PortForward } from "@kubernetes/client-node";
const config = new KubeConfig();
config.loadFromFile(process.argv[2]);
const spec = { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } };
const review = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({ body: { spec } });
const run = async (command) => {
  const stdout = new PassThrough();
  const status = await new Promise((resolve, reject) => {
    new Exec(config).exec("default", "p", "c", command, stdout, new PassThrough(), null, false, resolve).catch(reject);
  });
  return { status, text: String(stdout.read() ?? "") };
};
const { text } = await run(["echo", "hi"]);
const { status } = await run(["fail"]);
const input = new PassThrough();
const output = new PassThrough();
const socket = await new PortForward(config).portForward("default", "p", [80], output, null, input);
input.write("ping");
let forwarded = "";
for await (const chunk of output) {
  forwarded += chunk;
  if (forwarded.length >= "echo ping".length) break;
}
socket.close();
const code = Number(status.details.causes[0].message);
console.log(JSON.stringify({ review: review.status.allowed, exec: text, code, forwarded }));
process.exit(0);
`;

describe.skipIf(!existsSync(PYTHON))("the client of Python", () => {
  it("reviews access, runs commands, and forwards ports", async () => {
    const { stdout } = await execa(PYTHON, ["-c", IN_PYTHON, path.join(folder, "kubeconfig")]);
    expect(JSON.parse(stdout)).toEqual(EXPECTED);
  });
});

describe.skipIf(!existsSync(path.join(JAVASCRIPT, "node_modules")))("the client of JavaScript", () => {
  it("reviews access, runs commands, and forwards ports", async () => {
    const file = path.join(JAVASCRIPT, `${path.basename(folder)}.mjs`);
    await writeFile(file, IN_JAVASCRIPT);
    try {
      const { stdout } = await execa(process.execPath, [file, path.join(folder, "kubeconfig")]);
      expect(JSON.parse(stdout)).toEqual(EXPECTED);
    } finally {
      await rm(file);
    }
  });
});
