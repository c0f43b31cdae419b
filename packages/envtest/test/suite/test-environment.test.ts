import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { defineKind, type Kind } from "@kubescaffold/k8s";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { ConfigMap, Pod, Secret } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { FakeClock } from "@kubescaffold/platform/clock";
import { type Client, log, newControllerManagedBy, newWebhookManagedBy, type Request } from "@kubescaffold/runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { Environment } from "../../src/environment/environment.ts";
import { standInDefinition } from "../../src/install/install-crds.ts";
import {
  reconcileContext,
  projectEnvironment,
  startTestEnvironment,
  startWebhookEnvironment,
  type TestEnvironment,
} from "../../src/suite/test-environment.ts";

const TIMEOUT = { timeout: 120_000 };
const WAIT = { timeout: 60_000 };
const GROUP = "suite.example.com";
const Sample: Kind<KubernetesObject> = defineKind({ group: GROUP, version: "v1" }, "Sample");
const OBJECT = { apiVersion: `${GROUP}/v1`, kind: "Sample", metadata: { name: "one", namespace: "default" } };

const ROLE = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRole",
  metadata: { name: "manager-role" },
  rules: [{ apiGroups: [GROUP], resources: ["samples"], verbs: ["get", "list", "watch"] }],
};

const WEBHOOKS = {
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "ValidatingWebhookConfiguration",
  metadata: { name: "validating" },
  webhooks: [
    {
      name: "vsample.example.com",
      sideEffects: "None",
      failurePolicy: "Fail",
      admissionReviewVersions: ["v1"],
      clientConfig: {
        service: { namespace: "system", name: "webhook-service", path: "/validate-suite-example-com-v1-sample" },
      },
      rules: [{ apiGroups: [GROUP], apiVersions: ["v1"], operations: ["CREATE"], resources: ["samples"] }],
    },
  ],
};

// The manifests of a project, below a folder that is removed when the test ends.
function configDirectory(files: Readonly<Record<string, object>>): string {
  const root = mkdtempSync(path.join(tmpdir(), "kubescaffold-suite-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, object] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, printYaml(object));
  }
  return root;
}

const CRD = { "crd/bases/samples.yaml": standInDefinition(Sample) };

describe("the environment of a project", () => {
  it("misses definitions only where the project has the folder of them", () => {
    expect(projectEnvironment(configDirectory(CRD)).errorIfCrdPathMissing).toBe(true);
    expect(projectEnvironment(configDirectory({}))).toMatchObject({ errorIfCrdPathMissing: false });
  });

  it("has webhooks only where they are asked for", () => {
    expect(projectEnvironment("config")).not.toHaveProperty("webhooks");
    expect(projectEnvironment("config", { webhooks: true })).toMatchObject({
      webhooks: { paths: [path.join("config", "webhook")] },
    });
  });
});

describe("a test environment", () => {
  it("serves the project's definitions to a client that may do everything", TIMEOUT, async () => {
    const environment = await startTestEnvironment({ configDirectory: configDirectory(CRD), backend: "embedded" });
    try {
      await expect(environment.client.create(OBJECT)).resolves.toMatchObject(OBJECT);
      await expect(environment.client.list(ConfigMap)).resolves.toBeDefined();
    } finally {
      await environment.stop();
    }
  });

  it("runs a manager with the permissions of the role and no others", TIMEOUT, async () => {
    const config = configDirectory({ ...CRD, "rbac/role.yaml": ROLE });
    const environment = await startTestEnvironment({ configDirectory: config, backend: "embedded" });
    try {
      const seen: Request[] = [];
      const problems: unknown[] = [];
      const manager = await environment.startManager(async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Sample)
          .named("samples-of-suite")
          .complete(async (request) => {
            seen.push(request);
            await mgr
              .getApiReader()
              .list(ConfigMap)
              .catch((error: unknown) => problems.push(error));
          });
      });
      await environment.client.create(OBJECT);
      await manager.eventually(() => expect(problems).toHaveLength(1));
      await manager.stop();
      expect(seen).toEqual([OBJECT.metadata]);
      expect(problems).toEqual([expect.objectContaining({ status: expect.objectContaining({ reason: "Forbidden" }) })]);
      await environment.client.create({ ...OBJECT, metadata: { ...OBJECT.metadata, name: "two" } });
      expect(seen).toHaveLength(1);
    } finally {
      await environment.stop();
    }
  });

  it("gives the client of the manager, which has the indexes of its controllers, and its clock", TIMEOUT, async () => {
    const config = configDirectory({ ...CRD, "rbac/role.yaml": ROLE });
    const clock = new FakeClock();
    const environment = await startTestEnvironment({ configDirectory: config, backend: "embedded", clock });
    const requests: Request[] = [];
    try {
      const manager = await environment.startManager(async (mgr) => {
        await mgr
          .getFieldIndexer()
          .indexField(Sample, "first-letter", ({ metadata }) => [(metadata.name ?? "")[0] ?? ""]);
        await newControllerManagedBy(mgr)
          .for(Sample)
          .named("samples-of-suite")
          .complete((request) => {
            requests.push(request);
            return Promise.resolve({ requeueAfterMs: 3_600_000 });
          });
      });
      await environment.client.create(OBJECT);
      await manager.eventually(() => expect(requests).toHaveLength(1));
      await manager.eventually(async () => {
        const { items } = await manager.client.list(Sample, { fieldSelector: "first-letter=o" });
        expect(items).toHaveLength(1);
      });
      await clock.advance(3_600_000);
      await manager.eventually(() => expect(requests).toHaveLength(2));
      await manager.stop();
    } finally {
      await environment.stop();
    }
  });

  it.each([
    [
      "a watched kind",
      async (): Promise<void> => Promise.resolve(),
      { ...ROLE, rules: [] },
      `resources=samples,verbs=get;list;watch`,
    ],
    [
      "a request of a reconciler",
      async (client: Client): Promise<unknown> => client.list(ConfigMap),
      ROLE,
      `+kubebuilder:rbac:groups="",resources=configmaps,verbs=get;list;watch`,
    ],
  ])("fails at once with the marker that %s lacks", TIMEOUT, async (name, call, role, marker) => {
    const config = configDirectory({ ...CRD, "rbac/role.yaml": role });
    const environment = await startTestEnvironment({ configDirectory: config, backend: "embedded" });
    try {
      const manager = await environment.startManager(async (mgr) => {
        await newControllerManagedBy(mgr)
          .for(Sample)
          .named(name.replaceAll(" ", "-"))
          .complete(async () => {
            await call(mgr.getClient());
          });
      });
      await environment.client.create(OBJECT);
      const waiting = manager.eventually(() => expect(0).toBe(1), { timeoutMs: 60_000 });
      await expect(waiting).rejects.toMatchObject({
        code: "ENVTEST_MANAGER_FORBIDDEN",
        message: expect.stringContaining(marker) as unknown,
      });
      await manager.stop();
    } finally {
      await environment.stop();
    }
  });

  it("fails with the last error of an assertion that never passes", TIMEOUT, async () => {
    const environment = await startTestEnvironment({
      configDirectory: configDirectory({ ...CRD, "rbac/role.yaml": ROLE }),
      backend: "embedded",
    });
    try {
      const manager = await environment.startManager(() => undefined);
      await expect(manager.eventually(() => expect("last").toBe("other"), { timeoutMs: 50 })).rejects.toThrow("last");
      await manager.stop();
    } finally {
      await environment.stop();
    }
  });

  it("takes options in place of those of the project", TIMEOUT, async () => {
    const environment = await startTestEnvironment({
      configDirectory: configDirectory({}),
      backend: "embedded",
      crds: [standInDefinition(Sample)],
    });
    try {
      await expect(environment.client.create(OBJECT)).resolves.toMatchObject(OBJECT);
    } finally {
      await environment.stop();
    }
  });
});

describe("the images of the cluster of a suite", () => {
  const SIMULATED = { backend: "embedded", workloads: true } as const;
  const SUITES: Readonly<Record<string, () => Promise<Omit<TestEnvironment, "startManager">>>> = {
    "a test environment": async () =>
      await startTestEnvironment({ configDirectory: configDirectory({}), ...SIMULATED }),
    "a webhook environment": async () => {
      const config = configDirectory({ ...CRD, "webhook/manifests.yaml": WEBHOOKS });
      const options = { ...projectEnvironment(config, { webhooks: true }), ...SIMULATED };
      return await startWebhookEnvironment(options, () => undefined);
    },
  };

  it.each(Object.keys(SUITES))("decide how the containers of %s run and end", TIMEOUT, async (name) => {
    const suite = await (SUITES[name]?.() ?? Promise.reject(new Error(name)));
    onTestFinished(() => suite.stop());
    const { images } = suite.cluster;
    images.define("migrate:*", ({ args, log: print }) => {
      print(`migrates ${args.join(" ")}`);
      return 3;
    });
    const remove = images.define("private:*", { isMissing: true });
    const run = async (image: string, podName: string): Promise<void> => {
      const pod = Pod.create({
        metadata: { namespace: "default", name: podName },
        spec: { restartPolicy: "Never", containers: [{ name: "main", image, args: ["users"] }] },
      });
      // A controller creates the ServiceAccount of Pods.
      await expect.poll(async () => await suite.client.create(pod).then(() => "created", String)).toBe("created");
    };
    const stateOf = async (podName: string): Promise<unknown> => {
      const { status } = await suite.client.get(Pod, { namespace: "default", name: podName });
      return { phase: status?.phase, ...status?.containerStatuses?.[0]?.state };
    };
    await run("migrate:v2", "migrates");
    await run("private:v2", "waits");
    await expect
      .poll(async () => await stateOf("migrates"), WAIT)
      .toMatchObject({ phase: "Failed", terminated: { exitCode: 3, reason: "Error" } });
    await expect
      .poll(async () => await stateOf("waits"), WAIT)
      .toMatchObject({
        phase: "Pending",
        waiting: { reason: expect.stringMatching(/^(?:ErrImagePull|ImagePullBackOff)$/u) },
      });
    remove();
    await run("private:v2", "runs");
    await expect.poll(async () => await stateOf("runs"), WAIT).toMatchObject({ phase: "Running", running: {} });
  });
});

describe("a webhook environment", () => {
  const refuse = (): never => {
    throw new Error("this sample is refused");
  };
  const validator = { validateCreate: refuse, validateUpdate: refuse, validateDelete: refuse };

  it("calls the webhooks that are set up", TIMEOUT, async () => {
    const config = configDirectory({ ...CRD, "webhook/manifests.yaml": WEBHOOKS });
    const options = { ...projectEnvironment(config, { webhooks: true }), backend: "embedded" } as const;
    const environment = await startWebhookEnvironment(options, (mgr) => {
      newWebhookManagedBy(mgr).for(Sample).withValidator(validator).complete();
    });
    try {
      await expect(environment.client.create(OBJECT)).rejects.toThrow("this sample is refused");
    } finally {
      await environment.stop();
    }
  });

  const SELF_MANAGED = {
    ...CRD,
    "webhook/manifests.yaml": WEBHOOKS,
    "certificates/kustomization.yaml": { resources: ["secret.yaml"] },
    "certificates/secret.yaml": { apiVersion: "v1", kind: "Secret", metadata: { name: "kept", namespace: "system" } },
    "default/manager_certificates_patch.yaml": {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "controller-manager" },
      spec: {
        template: {
          spec: {
            containers: [
              {
                name: "manager",
                env: [
                  { name: "CERTIFICATES_SECRET", value: "kept" },
                  { name: "VALIDATING_WEBHOOK_CONFIGURATION", value: "validating" },
                ],
              },
            ],
          },
        },
      },
    },
  };

  it.each([
    ["lets a manager with self-managed certificates make its own", undefined, true],
    ["serves files where TLS would not follow the clock of the test", new FakeClock(), false],
  ])("%s", TIMEOUT, async (_, clock, isSelfManaged) => {
    const project = configDirectory(
      Object.fromEntries(Object.entries(SELF_MANAGED).map(([file, object]) => [`config/${file}`, object])),
    );
    const options = projectEnvironment(path.join(project, "config"), { webhooks: true });
    const environment = await startWebhookEnvironment(
      { ...options, backend: "embedded", ...(clock === undefined ? {} : { clock }) },
      (mgr) => {
        newWebhookManagedBy(mgr).for(Sample).withValidator(validator).complete();
      },
    );
    try {
      await expect(environment.client.create(OBJECT)).rejects.toThrow("this sample is refused");
      const secret = await environment.client
        .get(Secret, { namespace: "default", name: "kept" })
        .catch(() => undefined);
      const { webhooks = [] } = await environment.client.get(ValidatingWebhookConfiguration, { name: "validating" });
      expect(webhooks[0]?.clientConfig.caBundle).toBeDefined();
      expect(webhooks[0]?.clientConfig.caBundle === secret?.data?.["ca.crt"]).toBe(isSelfManaged);
    } finally {
      await environment.stop();
    }
  });

  it("leaves no server running when the webhooks cannot be set up", TIMEOUT, async () => {
    const stop = vi.spyOn(Environment.prototype, "stop");
    onTestFinished(() => stop.mockRestore());
    const config = configDirectory({ ...CRD, "webhook/manifests.yaml": WEBHOOKS });
    const options = { ...projectEnvironment(config, { webhooks: true }), backend: "embedded" } as const;
    await expect(
      startWebhookEnvironment(options, () => {
        throw new Error("no setup");
      }),
    ).rejects.toThrow("no setup");
    expect(stop).toHaveBeenCalledTimes(1);
  });
});

describe("the context of a reconciliation in a test", () => {
  it("has the program's logger, a signal that has not aborted, and another id each time", () => {
    const [first, second] = [reconcileContext(), reconcileContext()];
    expect(first).toMatchObject({ log, signal: { aborted: false } });
    expect(first.reconcileId).not.toBe(second.reconcileId);
  });

  it("takes each field from the test instead", () => {
    const signal = AbortSignal.abort();
    const random = (): number => 0.5;
    const context = reconcileContext({ signal, reconcileId: "one", random });
    expect(context).toEqual({ log, signal, reconcileId: "one", random, clock: context.clock });
    expect(reconcileContext({ clock: new FakeClock() }).clock).toBeInstanceOf(FakeClock);
  });
});
