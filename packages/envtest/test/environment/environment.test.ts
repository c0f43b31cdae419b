import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer as createHttpServer } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

import { isNotFound, type RestConfig } from "@kubescaffold/k8s";
import { createRestClient, parseKubeconfig, restConfigOf } from "@kubescaffold/runtime";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";

import { backendOf, type EnvironmentOptions } from "../../src/environment/environment-options.ts";
import { Environment } from "../../src/environment/environment.ts";
import type { WebhookServing } from "../../src/install/webhook-serving.ts";
import { crd } from "../conformance/kinds.ts";

const START_TIMEOUT_MS = 120_000;
const DEFINITION = crd({
  group: "env.example.com",
  kind: "Sample",
  schema: { spec: { type: "object", properties: { size: { type: "integer" } } } },
});
const OBJECTS = "/apis/env.example.com/v1/namespaces/default/samples";
const SAMPLE = { apiVersion: "env.example.com/v1", kind: "Sample", metadata: { name: "one" }, spec: { size: 1 } };

// The backend comes from the variables: `npm test` uses the embedded one, `npm run test:control-plane` runs the same tests on binaries.
describe(`an environment (${backendOf({})})`, { timeout: START_TIMEOUT_MS }, () => {
  const undo: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const work of undo.splice(0).reverse()) await work();
  });

  const started = async (options: EnvironmentOptions = {}): Promise<Environment> => {
    const environment = new Environment({ startTimeoutMs: START_TIMEOUT_MS, ...options });
    undo.push(async () => environment.stop());
    await environment.start();
    return environment;
  };
  const temporaryFolder = async (): Promise<string> => {
    const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-environment-"));
    undo.push(async () => rm(folder, { recursive: true, force: true }));
    return folder;
  };

  test("row 85: serves its definitions as soon as it has started, from files and from objects", async () => {
    const folder = await temporaryFolder();
    await writeFile(path.join(folder, "samples.yaml"), JSON.stringify(DEFINITION));
    const other = crd({ group: "env.example.com", kind: "Other", schema: {} });
    const environment = await started({ crdDirectoryPaths: [folder], crds: [other] });
    expect(await request(environment.config, "POST", OBJECTS, SAMPLE)).toMatchObject({ metadata: { generation: 1 } });
    expect(await request(environment.config, "GET", "/apis/env.example.com/v1/others")).toMatchObject({ items: [] });
  });

  test("a missing folder of definitions is an error, and nothing is left running", async () => {
    const environment = new Environment({ crdDirectoryPaths: ["no/such/folder"], startTimeoutMs: START_TIMEOUT_MS });
    await expect(environment.start()).rejects.toMatchObject({ code: "ENVTEST_PATH_MISSING" });
    expect(() => environment.config).toThrow(expect.objectContaining({ code: "ENVTEST_STATE" }));
  });

  test("a definition that the server refuses fails the start with the server's reason", async () => {
    const environment = new Environment({
      crds: [{ ...DEFINITION, metadata: { name: "wrong" } }],
      startTimeoutMs: START_TIMEOUT_MS,
    });
    await expect(environment.start()).rejects.toMatchObject({
      code: "CLIENT_STATUS",
      message: expect.stringContaining("wrong"),
    });
  });

  test("users have their own credentials and no rights but their own", async () => {
    const environment = await started();
    const jane = await environment.addUser({ name: "jane", groups: ["readers"] });
    await expect(request(jane, "GET", "/api/v1/namespaces/default/configmaps")).rejects.toThrow(
      'User "jane" cannot list resource "configmaps"',
    );
    const review = await request(jane, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
      apiVersion: "authentication.k8s.io/v1",
      kind: "SelfSubjectReview",
    });
    expect(review).toMatchObject({
      status: { userInfo: { username: "jane", groups: expect.arrayContaining(["readers", "system:authenticated"]) } },
    });
    const robot = await environment.addServiceAccount({ namespace: "default", name: "robot" });
    await expect(request(robot, "GET", "/api/v1/namespaces/default/configmaps")).rejects.toThrow(
      'User "system:serviceaccount:default:robot" cannot list',
    );
    expect(await environment.addServiceAccount({ namespace: "default", name: "robot" })).toMatchObject({
      credentials: { kind: "token" },
    });
  });

  test("a service account may do what roles say, in every namespace and until the environment stops", async () => {
    const cluster = await started({ crds: [DEFINITION] });
    const folder = await temporaryFolder();
    const role = path.join(folder, "role.yaml");
    await writeFile(role, ROLES);
    const guest = new Environment({ backend: "existing", config: cluster.config });
    await guest.start();
    const account = { namespace: "default", name: "manager" };
    const manager = await guest.addServiceAccount(account, { roles: [role] });
    await expect
      .poll(async () => request(manager, "GET", "/api/v1/configmaps"), { timeout: 20_000 })
      .toMatchObject({ kind: "ConfigMapList" });
    expect(await request(manager, "GET", OBJECTS.replace("default", "other"))).toMatchObject({ items: [] });
    await expect(request(manager, "POST", OBJECTS, SAMPLE)).rejects.toThrow('cannot create resource "samples"');
    await expect(guest.addServiceAccount(account, { roles: [`${role}.missing`] })).rejects.toMatchObject({
      code: "ENVTEST_PATH_MISSING",
    });
    await guest.stop();
    const name = "kubescaffold-test-default-manager";
    for (const collection of ["clusterroles", "clusterrolebindings"]) {
      const target = `/apis/rbac.authorization.k8s.io/v1/${collection}/${name}`;
      await expect(request(cluster.config, "GET", target)).rejects.toSatisfy(isNotFound);
    }
  });

  test("other processes reach it through a kubeconfig that only its owner can read", async () => {
    const environment = await started();
    const folder = await temporaryFolder();
    const jane = await environment.addUser({ name: "jane" });
    for (const [file, config, expected] of [
      ["admin", undefined, "system:masters"],
      ["jane", jane, "jane"],
    ] as const) {
      const kubeconfig = path.join(folder, file);
      await environment.writeKubeconfig(kubeconfig, config);
      expect((await stat(kubeconfig)).mode & (process.platform === "win32" ? 0 : 0o077)).toBe(0);
      const read = await restConfigOf(
        parseKubeconfig(await readFile(kubeconfig, "utf8"), { source: kubeconfig, folder }),
      );
      const review = await request(read, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {
        apiVersion: "authentication.k8s.io/v1",
        kind: "SelfSubjectReview",
      });
      expect(JSON.stringify(review)).toContain(expected);
    }
  });

  test("row 85: webhooks of the manifests are called at the local server, with a certificate that the API server trusts", async () => {
    const environment = await started({ crds: [DEFINITION], webhooks: { configurations: [VALIDATING] } });
    const serving = environment.webhookServing;
    const server = await serveDenials(serving);
    undo.push(async () => closeServer(server));
    const denied = async (): Promise<string> =>
      request(environment.config, "POST", `${OBJECTS}?dryRun=All`, SAMPLE).then(
        () => "",
        (error: Error) => error.message,
      );
    await expect
      .poll(denied, { timeout: 20_000 })
      .toBe('admission webhook "samples.env.example.com" denied the request: asked at /validate');
  });

  test("conversion webhooks are kept where they can be served and dropped where they cannot", async () => {
    const definition = structuredClone(DEFINITION) as { spec: Record<string, unknown> };
    definition.spec["conversion"] = {
      strategy: "Webhook",
      webhook: {
        conversionReviewVersions: ["v1"],
        clientConfig: { service: { namespace: "system", name: "webhook", path: "/convert" } },
      },
    };
    const environment = await started({ crds: [definition] });
    const read = async (config: RestConfig): Promise<unknown> =>
      request(config, "GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/samples.env.example.com");
    expect(await read(environment.config)).toMatchObject({ spec: { conversion: { strategy: "None" } } });
  });

  test("definitions in a folder of bases convert as the patches beside it say, at the local server", async () => {
    const root = await temporaryFolder();
    const clientConfig = { service: { namespace: "system", name: "webhook-service", path: "/convert" } };
    const conversion = { strategy: "Webhook", webhook: { conversionReviewVersions: ["v1"], clientConfig } };
    const { apiVersion, kind } = DEFINITION;
    const metadata = { name: "samples.env.example.com" };
    for (const [folder, content] of [
      ["bases", DEFINITION],
      ["patches", { apiVersion, kind, metadata, spec: { conversion } }],
    ] as const) {
      await mkdir(path.join(root, folder));
      await writeFile(path.join(root, folder, "samples.yaml"), JSON.stringify(content));
    }
    const environment = await started({ crdDirectoryPaths: [path.join(root, "bases")], webhooks: {} });
    const definition = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
    const url = `${environment.webhookServing.url}/convert`;
    expect(await request(environment.config, "GET", definition)).toMatchObject({
      spec: { conversion: { strategy: "Webhook", webhook: { clientConfig: { url } } } },
    });
  });

  test("is started once and stopped as often as one likes", async () => {
    const environment = new Environment({ startTimeoutMs: START_TIMEOUT_MS });
    expect(() => environment.config).toThrow(expect.objectContaining({ code: "ENVTEST_STATE" }));
    await environment.stop();
    await environment.start();
    await expect(environment.start()).rejects.toMatchObject({ code: "ENVTEST_STATE" });
    expect(() => environment.webhookServing).toThrow(expect.objectContaining({ code: "ENVTEST_STATE" }));
    await environment.stop();
    await environment.stop();
    await environment.start();
    await environment.stop();
  });

  test("on an existing cluster it leaves what it is not configured to remove", async () => {
    const cluster = await started();
    const options = { backend: "existing", config: cluster.config, crds: [DEFINITION] } as const;
    const guest = new Environment({ ...options, webhooks: { configurations: [VALIDATING] } });
    await guest.start();
    await expect(guest.addUser({ name: "jane" })).rejects.toMatchObject({ code: "ENVTEST_UNSUPPORTED" });
    await guest.stop();
    const webhook = `/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/${VALIDATING.metadata.name}`;
    await expect(request(cluster.config, "GET", webhook)).rejects.toSatisfy(isNotFound);
    expect(await request(cluster.config, "GET", OBJECTS)).toMatchObject({ items: [] });
    const tidy = new Environment({ ...options, cleanUpCrds: true });
    await tidy.start();
    await tidy.stop();
    await expect(
      request(cluster.config, "GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/samples.env.example.com"),
    ).rejects.toSatisfy(isNotFound);
  });
});

test("only the embedded server can be reached into", { timeout: START_TIMEOUT_MS }, async () => {
  const environment = new Environment({ backend: "embedded" });
  await environment.start();
  const guest = new Environment({ backend: "existing", config: environment.config });
  await guest.start();
  expect(environment.cluster.server).toBeDefined();
  expect(() => guest.cluster).toThrow(expect.objectContaining({ code: "ENVTEST_UNSUPPORTED" }));
  await guest.stop();
  await environment.stop();
});

test("binaries are downloaded as in controller-runtime, into the folder of versions", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-assets-"));
  const requests: (string | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    requests.push(request.url);
    response.writeHead(200).end("releases: {}\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { port } = server.address() as AddressInfo;
  const environmentOf = (downloadBinaryAssetsVersion: string): Environment =>
    new Environment({
      env: {},
      downloadBinaryAssets: true,
      downloadBinaryAssetsVersion,
      downloadBinaryAssetsIndexUrl: `http://127.0.0.1:${String(port)}/index.yaml`,
      binaryAssetsDirectory: folder,
    });
  await expect(environmentOf("1.35").start()).rejects.toMatchObject({
    code: "ENVTEST_DOWNLOAD",
    message: expect.stringContaining("cannot find binaries of version 1.35 for "),
  });
  expect(requests).toEqual(["/index.yaml"]);

  const os = process.platform === "win32" ? "windows" : process.platform;
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const stored = path.join(folder, `1.35.4-${os}-${arch}`);
  await mkdir(stored);
  await expect(environmentOf("v1.35.4").start()).rejects.toMatchObject({
    code: "ENVTEST_ASSET_MISSING",
    message: expect.stringContaining(stored),
  });
  expect(requests).toHaveLength(1);
});

const ROLES = `
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: manager-role }
rules: [{ apiGroups: [""], resources: [configmaps], verbs: [list] }]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: manager-role, namespace: guestbook-system }
rules: [{ apiGroups: [env.example.com], resources: [samples], verbs: [get, list] }]
`;

const VALIDATING = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "samples" },
  webhooks: [
    {
      name: "samples.env.example.com",
      sideEffects: "None",
      admissionReviewVersions: ["v1"],
      clientConfig: { service: { namespace: "system", name: "webhook-service", path: "/validate" } },
      rules: [{ apiGroups: ["env.example.com"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["samples"] }],
    },
  ],
};

async function request(config: RestConfig, method: "GET" | "POST", target: string, body?: unknown): Promise<unknown> {
  const client = createRestClient(config);
  try {
    const [path = "", query = ""] = target.split("?");
    return await client.request({
      method,
      path,
      query: Object.fromEntries(new URLSearchParams(query)),
      ...(body === undefined ? {} : { body }),
    });
  } finally {
    await client.close();
  }
}

async function serveDenials({ host, port, certDirectory }: WebhookServing): Promise<Server> {
  const [cert, key] = await Promise.all(
    ["tls.crt", "tls.key"].map(async (file) => readFile(path.join(certDirectory, file), "utf8")),
  );
  const server = createServer({ cert: cert ?? "", key: key ?? "" }, (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { request: review } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
        readonly request: { readonly uid: string };
      };
      const status = { message: `asked at ${(incoming.url ?? "").split("?")[0] ?? ""}` };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          apiVersion: "admission.k8s.io/v1",
          kind: "AdmissionReview",
          response: { uid: review.uid, allowed: false, status },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve);
  });
  return server;
}

async function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
