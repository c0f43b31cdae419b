/** The certificates of a project with `--certificates self-managed` on the machine of a developer: `scaffold dev`, tests, and `scaffold run`. */
import { X509Certificate } from "node:crypto";
import { appendFileSync, rmSync } from "node:fs";
import path from "node:path";
import { connect } from "node:tls";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from "@kubescaffold/k8s/admissionregistration/v1";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import { Secret } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { configOf, DevProcess } from "../e2e/dev-process.ts";
import { eventually } from "../e2e/eventually.ts";
import { newProject, type ProjectCopy, PROGRAM } from "../e2e/project-copy.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { freePort } from "./free-port.ts";
import { ManagerProcess } from "./manager-process.ts";

const LIVENESS_MS = 300_000;
const FIELD_OWNER = "kubescaffold-certificates";
const NAMES = {
  validating: "validating-webhook-configuration",
  mutating: "mutating-webhook-configuration",
  definition: "guestbooks.webapp.demo",
  secret: "webhook-certificates",
} as const;

let project: ProjectCopy;

beforeAll(async () => {
  project = newProject();
  await runCommands(
    project.root,
    `${INIT} --certificates self-managed`,
    CREATE_API,
    `${CREATE_API.replace("--version v1", "--version v2")} --controller=false`,
    CREATE_WEBHOOK,
    "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false",
    "manifests",
    "generate",
  );
}, LIVENESS_MS);

afterAll(() => project.remove());

/** The authority of the Secret, and the bundles of all objects. */
async function trust(
  client: LiveClient,
  namespace: string,
): Promise<{ readonly ca: string; readonly bundles: unknown[] }> {
  const { data = {} } = await client.get(Secret, { namespace, name: NAMES.secret });
  const configurations = [
    await client.get(ValidatingWebhookConfiguration, { name: NAMES.validating }),
    await client.get(MutatingWebhookConfiguration, { name: NAMES.mutating }),
  ];
  const { spec } = await client.get(CustomResourceDefinition, { name: NAMES.definition });
  return {
    ca: data["ca.crt"] ?? "",
    bundles: [
      ...configurations.flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.caBundle)),
      spec.conversion?.webhook?.clientConfig?.caBundle,
    ],
  };
}

async function admitted(client: LiveClient, name: string, output: () => string): Promise<void> {
  for (const version of ["v1", "v2"]) {
    const metadata = { name: `${name}-${version}`, namespace: "default" };
    const guestbook = { apiVersion: `webapp.demo/${version}`, kind: "Guestbook", metadata, spec: {} };
    await eventually(
      async () =>
        await client.create(guestbook as unknown as KubernetesObject).then(
          () => true,
          () => undefined,
        ),
      () => `an admission in ${version}; the manager logged:\n${output()}`,
    );
  }
}

describe("scaffold dev of a project with self-managed certificates", { timeout: LIVENESS_MS }, () => {
  let dev: DevProcess;
  let client: LiveClient;

  beforeAll(async () => {
    dev = new DevProcess(project.root);
    await dev.waitForManager();
    client = createClient(await configOf(project.root));
  }, LIVENESS_MS);

  afterAll(async () => await dev.end(), LIVENESS_MS);

  it("runs a manager that makes and injects them with the permissions of config/certificates", async () => {
    await admitted(client, "dev", () => dev.output);
    const { ca, bundles } = await trust(client, "guestbook-system");
    expect(ca).not.toBe("");
    expect(bundles).toEqual([ca, ca, ca]);
    const { metadata } = await client.get(ValidatingWebhookConfiguration, { name: NAMES.validating });
    expect(metadata.managedFields?.map(({ manager }) => manager)).toContain(FIELD_OWNER);
    expect(dev.output).not.toMatch(/forbidden|cannot keep the certificates|CERTIFICATES_/u);
  });

  it("keeps them when the manifests are installed again, and when the manager restarts", async () => {
    const before = await trust(client, "guestbook-system");
    const writes = dev.count(/wrote the caBundle/);
    appendFileSync(path.join(project.root, "api", "v1", "guestbook_types.ts"), "\n// A change.\n");
    await dev.waitForManager(2);
    await admitted(client, "restarted", () => dev.output);
    expect(await trust(client, "guestbook-system")).toEqual(before);
    expect(dev.count(/wrote the caBundle/)).toBe(writes);
  });
});

describe("the tests of a project with self-managed certificates", { timeout: LIVENESS_MS }, () => {
  it("run a manager that makes them", async () => {
    const { status, output } = await runProgram(
      process.execPath,
      [PROGRAM, "test", "internal/webhook"],
      // The certificates are visible to the test that calls the conversion webhook; without them, it fails.
      { cwd: project.root, env: { KUBESCAFFOLD_ENVTEST_BACKEND: "embedded" } },
    );
    expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  });
});

describe("scaffold run of a project with self-managed certificates", { timeout: LIVENESS_MS }, () => {
  const environment = new Environment({ backend: "embedded" });
  let config: RestConfig;

  beforeAll(async () => {
    config = await environment.start();
  }, LIVENESS_MS);

  afterAll(async () => await environment.stop(), LIVENESS_MS);

  it("makes them with the variables of the guide, for an address of the machine", async () => {
    const client = createClient(config);
    const kubeconfig = path.join(project.root, "admin.kubeconfig");
    await environment.writeKubeconfig(kubeconfig);
    const port = await freePort();
    const variables = {
      CERTIFICATES_SECRET: NAMES.secret,
      CERTIFICATES_NAMESPACE: "default",
      CERTIFICATES_IP_ADDRESSES: "127.0.0.1",
    };
    const args = [`--webhook-port=${String(port)}`, "--webhook-host=127.0.0.1", "--metrics-bind-address=0"];
    const manager = new ManagerProcess(project.root, {
      kubeconfig,
      args,
      env: variables,
      program: [PROGRAM, "run"],
    });
    try {
      await manager.waitFor(/serving webhook server/u);
      const stored = await eventually(
        async () =>
          (await client.get(Secret, { namespace: "default", name: NAMES.secret }).catch(() => undefined))?.data,
        () => `the Secret; the manager logged:\n${manager.output}`,
      );
      const served = await servedAt(port, Buffer.from(stored["ca.crt"] ?? "", "base64").toString());
      expect(served.checkIP("127.0.0.1")).toBe("127.0.0.1");
    } finally {
      await manager.stop();
      rmSync(kubeconfig);
    }
  });
});

// Fails unless the certificate is signed by the authority.
async function servedAt(port: number, ca: string): Promise<X509Certificate> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca }, () => {
      const { raw } = socket.getPeerCertificate();
      socket.destroy();
      resolve(new X509Certificate(raw));
    });
    socket.once("error", reject);
  });
}
