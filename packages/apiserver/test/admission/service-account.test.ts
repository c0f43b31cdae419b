import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { type Requests, requestsOf } from "../support/cluster-requests.ts";

const NAMESPACE = "/api/v1/namespaces/default";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(async () => {
  cluster = createEmbeddedCluster({ enableAdmissionPlugins: ["ServiceAccount"], workloadSimulation: true });
  cluster.server.start();
  admin = requestsOf(cluster.config);
  await cluster.server.idle();
});

afterEach(async () => cluster.close());

interface PodBody {
  readonly message?: string;
  readonly spec: {
    readonly serviceAccountName?: string;
    readonly serviceAccount?: string;
    readonly imagePullSecrets?: unknown;
    readonly containers: readonly { readonly volumeMounts?: readonly { readonly mountPath: string }[] }[];
    readonly volumes?: readonly { readonly name: string }[];
  };
}

async function createPod(spec: object, name = "p"): Promise<{ readonly status: number; readonly body: PodBody }> {
  const container = { name: "c", image: "app:1" };
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers: [container], ...spec } };
  return (await admin.post(`${NAMESPACE}/pods`, pod)) as unknown as Awaited<ReturnType<typeof createPod>>;
}

async function createAccount(account: object): Promise<void> {
  const { status } = await admin.post(`${NAMESPACE}/serviceaccounts`, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    ...account,
  });
  expect(status).toBe(201);
}

describe("the admission plugin ServiceAccount", () => {
  it("gives a Pod the account `default`, and mounts its token", async () => {
    const { body } = await createPod({});
    expect(body.spec).toMatchObject({ serviceAccountName: "default", serviceAccount: "default" });
    expect(body.spec.containers[0]?.volumeMounts).toEqual([
      { name: expect.stringMatching(/^kube-api-access-[a-z0-9]{5}$/u), readOnly: true, mountPath: MOUNT_PATH },
    ]);
    expect(body.spec.volumes).toMatchObject([
      {
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { path: "token", expirationSeconds: 3607 } },
            { configMap: { name: "kube-root-ca.crt" } },
            { downwardAPI: { items: [{ path: "namespace" }] } },
          ],
        },
      },
    ]);
  });

  it("mounts nothing where the Pod or its account opts out, and the Pod decides", async () => {
    await createAccount({ metadata: { name: "silent" }, automountServiceAccountToken: false });
    const volumes = async (name: string, spec: object): Promise<unknown> =>
      (await createPod(spec, name)).body.spec.volumes;
    expect(await volumes("a", { serviceAccountName: "silent" })).toBeUndefined();
    expect(await volumes("b", { automountServiceAccountToken: false })).toBeUndefined();
    expect(await volumes("c", { serviceAccountName: "silent", automountServiceAccountToken: true })).toHaveLength(1);
  });

  it("adds the image pull secrets of the account", async () => {
    await createAccount({ metadata: { name: "puller" }, imagePullSecrets: [{ name: "registry" }] });
    const { body } = await createPod({ serviceAccountName: "puller" });
    expect(body.spec.imagePullSecrets).toEqual([{ name: "registry" }]);
    const { body: own } = await createPod({ serviceAccountName: "puller", imagePullSecrets: [{ name: "own" }] }, "q");
    expect(own.spec.imagePullSecrets).toEqual([{ name: "own" }]);
  });

  it("refuses an account that does not exist", async () => {
    const { status, body } = await createPod({ serviceAccountName: "absent" });
    expect(status).toBe(403);
    expect(body.message).toBe(
      'pods "p" is forbidden: error looking up service account default/absent: serviceaccount "absent" not found',
    );
  });

  it("refuses Secrets that the account does not name, where it enforces that", async () => {
    const annotations = { "kubernetes.io/enforce-mountable-secrets": "true" };
    await createAccount({ metadata: { name: "strict", annotations }, secrets: [{ name: "known" }] });
    const { body } = await createPod({
      serviceAccountName: "strict",
      volumes: [{ name: "v", secret: { secretName: "other" } }],
    });
    expect(body.message).toContain(
      'volume with secret.secretName="other" is not allowed because service account strict does not reference that secret',
    );
  });

  it("lets containers read a token that is bound to their Pod", async () => {
    // The volume has the certificate of the server.
    await cluster.listen({ tls: true });
    await cluster.server.idle();
    const files = new Promise<ReadonlyMap<string, Buffer>>((resolve) => {
      cluster.images.define("app:*", (process) => resolve(process.files));
    });
    await createPod({});
    const mounted = await files;
    expect(mounted.get(`${MOUNT_PATH}/namespace`)?.toString()).toBe("default");
    const token = mounted.get(`${MOUNT_PATH}/token`)?.toString() ?? "";
    const review = { apiVersion: "authentication.k8s.io/v1", kind: "TokenReview", spec: { token } };
    const { body } = await admin.post("/apis/authentication.k8s.io/v1/tokenreviews", review);
    expect(body).toMatchObject({
      status: {
        authenticated: true,
        user: {
          username: "system:serviceaccount:default:default",
          extra: {
            "authentication.kubernetes.io/pod-name": ["p"],
            "authentication.kubernetes.io/node-name": ["node-0"],
          },
        },
      },
    });
  });
});
