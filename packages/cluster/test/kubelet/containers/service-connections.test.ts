import { once } from "node:events";
import { createServer } from "node:https";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { configMapOf, type Requests, requestsOf } from "../../../../apiserver/test/support/cluster-requests.ts";
import { createEmbeddedCluster, type EmbeddedCluster } from "../../../src/cluster/embedded-cluster.ts";
import type { MainProcess } from "../../../src/kubelet/containers/image-definitions.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const LABELS = { app: "webhook" };

/** A webhook in a simulated container, which denies everything. */
async function denyAll({ files, ports, signal }: MainProcess): Promise<void> {
  const server = createServer({ cert: files.get("/certs/tls.crt"), key: files.get("/certs/tls.key") });
  server.on("request", (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        readonly request: { readonly uid: string };
      };
      const status = { message: "denied by a container" };
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid: review.request.uid, allowed: false, status },
        }),
      );
    });
  });
  ports.listen(8443, (connection) => server.emit("connection", connection));
  if (!signal.aborted) await once(signal, "abort");
}

describe("a webhook behind a Service", () => {
  let cluster: EmbeddedCluster;
  let admin: Requests;

  beforeEach(async () => {
    cluster = createEmbeddedCluster({ workloadSimulation: true });
    admin = requestsOf(cluster.config);
    cluster.server.start();
    cluster.images.define("webhook:*", denyAll);
    const authority = await cluster.certificateAuthority();
    const { cert, key } = await authority.issueServer({ dnsNames: ["webhook.default.svc"] });
    await admin.post(`${NAMESPACE}/secrets`, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "certs" },
      stringData: { "tls.crt": cert, "tls.key": key },
    });
    await admin.post("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name: "deny" },
      webhooks: [
        {
          name: "deny.example.com",
          clientConfig: {
            service: { namespace: "default", name: "webhook", port: 443, path: "/deny" },
            caBundle: Buffer.from(authority.cert).toString("base64"),
          },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
  });

  afterEach(async () => {
    await cluster.close();
  });

  async function createService(spec: object): Promise<void> {
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "webhook" }, spec };
    await admin.post(`${NAMESPACE}/services`, service);
  }

  async function createPod(): Promise<void> {
    await admin.post(`${NAMESPACE}/pods`, {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "webhook", labels: LABELS },
      spec: {
        containers: [
          {
            name: "main",
            image: "webhook:1",
            ports: [{ name: "https", containerPort: 8443 }],
            volumeMounts: [{ name: "certs", mountPath: "/certs" }],
          },
        ],
        volumes: [{ name: "certs", secret: { secretName: "certs" } }],
      },
    });
    await cluster.server.idle();
  }

  it.each([8443, "https"])("is called in a simulated container at the target port %o", async (targetPort) => {
    await createService({ selector: LABELS, ports: [{ port: 443, targetPort }] });
    await createPod();
    for (let call = 0; call < 3; call += 1) {
      const answer = await admin.post(`${NAMESPACE}/configmaps`, configMapOf("any"));
      expect(answer.body["message"]).toBe(
        'admission webhook "deny.example.com" denied the request: denied by a container',
      );
    }
  });

  it.each([
    ["without a Pod", { selector: LABELS, ports: [{ port: 443, targetPort: 8443 }] }],
    ["with another port", { selector: LABELS, ports: [{ port: 80, targetPort: 8443 }] }],
    ["without a listener on the target port", { selector: LABELS, ports: [{ port: 443, targetPort: 1 }] }],
    ["without a selector", { ports: [{ port: 443, targetPort: 8443 }] }],
  ])("fails %s", async (title, spec) => {
    await createService(spec);
    if (title !== "without a Pod") await createPod();
    const answer = await admin.post(`${NAMESPACE}/configmaps`, configMapOf("any"));
    expect(answer.status).toBe(500);
    expect(answer.body["message"]).toContain('service "webhook" has no address');
  });
});
