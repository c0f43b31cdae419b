import path from "node:path";

import { type Json, listAt, mapAt, type Manifest, nameOf, textAt, valueAt } from "kubescaffold/plugin";
import { beforeAll, describe, expect, it } from "vitest";

import { runCommands } from "../../../test/support/run-command.ts";
import { readFiles, writeFiles } from "../../../test/support/temporary-folder.ts";
import { lastingFolder } from "./lasting-folder.ts";
import { byKey, HELM, lint, render, type Rendered } from "./rendering.ts";

const root = lastingFolder();
const chart = path.join(root, "dist", "chart");

beforeAll(async () => {
  await runCommands(
    root,
    "init --domain demo --project-name garden --skip-install",
    "create api --group plants --version v1 --kind Rose --make=false",
    "create webhook --group plants --version v1 --kind Rose --defaulting --programmatic-validation --make=false",
    "edit --plugins=helm/v2-alpha",
  );
});

const RELEASE = { release: "garden", namespace: "garden-system" };

async function rendered(...set: readonly string[]): Promise<readonly Manifest[]> {
  const { status, output, objects } = await render(chart, { ...RELEASE, set });
  expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
  return objects;
}

async function refused(...set: readonly string[]): Promise<string> {
  const { status, output }: Rendered = await render(chart, { ...RELEASE, set });
  expect(status).not.toBe(0);
  return output;
}

function kindsOf(objects: readonly Manifest[]): readonly string[] {
  return objects.map((each) => `${each.kind} ${nameOf(each).replace(/^garden-/u, "")}`).toSorted();
}

function managerOf(objects: readonly Manifest[]): Manifest {
  const found = objects.find(({ kind }) => kind === "Deployment");
  if (found === undefined) throw new Error("there is no Deployment");
  return found;
}

function containerOf(objects: readonly Manifest[]): Json {
  const [container] = listAt(managerOf(objects), "spec", "template", "spec", "containers");
  return container ?? null;
}

function argumentsOf(objects: readonly Manifest[]): readonly Json[] {
  return listAt(containerOf(objects), "args");
}

// Needs the helm that `npm run test:control-plane` builds.
describe.skipIf(HELM === undefined)("values of a chart", () => {
  const SWITCHES = [
    "manager.enabled",
    "rbac.namespaced",
    "rbac.helpers.enabled",
    "crd.enabled",
    "crd.keep",
    "metrics.enabled",
    "metrics.secure",
    "certManager.enabled",
    "webhook.enabled",
    "prometheus.enabled",
    "networkPolicy.enabled",
  ];

  // Each pair of values meets in some row, which is cheaper than all rows and finds what two switches do to one another.
  const COMBINATIONS = pairwise(SWITCHES.length).map((row) => SWITCHES.map((name, index) => `${name}=${row[index]}`));

  it.each(COMBINATIONS.map((set) => ({ set })))(
    "render to objects, each once, with $set",
    { timeout: 120_000 },
    async ({ set }) => {
      const objects = await rendered(...set);
      byKey(objects);
      for (const each of objects) {
        expect(each).toMatchObject({ apiVersion: expect.stringMatching(/./u), kind: expect.stringMatching(/./u) });
        expect(JSON.stringify(each)).not.toMatch(/\{\{|<no value>|SERVICE_NAME/u);
      }
    },
  );

  it("lint without a warning", async () => {
    expect(await lint(chart)).toMatchObject({ status: 0 });
  });

  it("omit exactly the disabled parts", async () => {
    const all = kindsOf(await rendered());
    const without = async (...set: readonly string[]): Promise<readonly string[]> => {
      const left = kindsOf(await rendered(...set));
      return all.filter((each) => !left.includes(each));
    };
    expect(await without("manager.enabled=false")).toEqual(["Deployment controller-manager"]);
    expect(await without("crd.enabled=false")).toEqual(["CustomResourceDefinition roses.plants.demo"]);
    expect(await without("metrics.enabled=false")).toEqual([
      "Certificate metrics-certs",
      "ClusterRole metrics-auth-role",
      "ClusterRole metrics-reader",
      "ClusterRoleBinding metrics-auth-rolebinding",
      "Service controller-manager-metrics-service",
    ]);
    expect(await without("certManager.enabled=false")).toEqual([
      "Certificate metrics-certs",
      "Certificate serving-cert",
      "Issuer selfsigned-issuer",
    ]);
    expect(await without("webhook.enabled=false")).toEqual([
      "Certificate serving-cert",
      "MutatingWebhookConfiguration mutating-webhook-configuration",
      "Service webhook-service",
      "ValidatingWebhookConfiguration validating-webhook-configuration",
    ]);
    expect(await without("serviceAccount.enabled=false", "serviceAccount.name=robot")).toEqual([
      "ServiceAccount controller-manager",
    ]);
  });

  it("add what they switch on", async () => {
    const all = kindsOf(await rendered());
    const added = async (...set: readonly string[]): Promise<readonly string[]> =>
      kindsOf(await rendered(...set)).filter((each) => !all.includes(each));
    expect(await added("rbac.helpers.enabled=true")).toEqual([
      "ClusterRole rose-admin-role",
      "ClusterRole rose-editor-role",
      "ClusterRole rose-viewer-role",
    ]);
    expect(await added("prometheus.enabled=true")).toEqual(["ServiceMonitor controller-manager-metrics-monitor"]);
    expect(await added("networkPolicy.enabled=true")).toEqual([
      "NetworkPolicy allow-metrics-traffic",
      "NetworkPolicy allow-webhook-traffic",
    ]);
  });

  it("make roles of the cluster roles of a namespace, but for those of metrics", async () => {
    const objects = await rendered("rbac.namespaced=true", "rbac.helpers.enabled=true");
    const ofCluster = objects.filter(({ kind }) => kind.startsWith("ClusterRole"));
    expect(ofCluster.every((each) => nameOf(each).startsWith("garden-metrics-"))).toBe(true);
    const binding = objects.find((each) => nameOf(each) === "garden-manager-rolebinding");
    expect(binding).toMatchObject({
      kind: "RoleBinding",
      metadata: { namespace: "garden-system" },
      roleRef: { kind: "Role", name: "garden-manager-role" },
    });
  });

  it("serve metrics over HTTP, to everyone, when they are not to be secure", async () => {
    const objects = await rendered("metrics.secure=false", "metrics.port=9090", "prometheus.enabled=true");
    expect(argumentsOf(objects).slice(0, 2)).toEqual(["--metrics-bind-address=:9090", "--metrics-secure=false"]);
    expect(kindsOf(objects).filter((each) => each.includes("metrics-auth"))).toEqual([]);
    const service = objects.find((each) => nameOf(each).endsWith("metrics-service"));
    expect(valueAt(service, "spec", "ports")).toEqual([
      { name: "http", port: 9090, protocol: "TCP", targetPort: 9090 },
    ]);
    const monitor = objects.find(({ kind }) => kind === "ServiceMonitor");
    expect(listAt(monitor, "spec", "endpoints")).toEqual([{ path: "/metrics", port: "http", scheme: "http" }]);
  });

  it("tell a manager that is to do without metrics or webhooks so", async () => {
    const objects = await rendered("metrics.enabled=false", "webhook.enabled=false");
    expect(argumentsOf(objects)).toEqual([
      "--metrics-bind-address=0",
      "--leader-elect",
      "--health-probe-bind-address=:8081",
    ]);
    expect(listAt(containerOf(objects), "env")).toEqual([{ name: "ENABLE_WEBHOOKS", value: "false" }]);
    expect(valueAt(managerOf(objects), "spec", "template", "spec", "volumes")).toBeUndefined();
  });

  it("take ports", async () => {
    const objects = await rendered("webhook.port=9999", "manager.healthProbe.port=8888", "networkPolicy.enabled=true");
    expect(argumentsOf(objects)).toEqual(
      expect.arrayContaining(["--webhook-port=9999", "--health-probe-bind-address=:8888"]),
    );
    const container = containerOf(objects);
    expect(listAt(container, "ports").map((each) => valueAt(each, "containerPort"))).toEqual([8888, 9999]);
    expect(["livenessProbe", "readinessProbe"].map((key) => valueAt(container, key, "httpGet", "port"))).toEqual([
      8888, 8888,
    ]);
    const service = objects.find((each) => nameOf(each).endsWith("webhook-service"));
    expect(listAt(service, "spec", "ports")).toEqual([{ port: 443, protocol: "TCP", targetPort: 9999 }]);
    const policy = objects.find((each) => nameOf(each).endsWith("allow-webhook-traffic"));
    expect(valueAt(policy, "spec", "ingress")).toEqual([{ ports: [{ port: 9999, protocol: "TCP" }] }]);
  });

  it("take certificates of one's own in place of cert-manager's", async () => {
    const objects = await rendered("certManager.enabled=false", "webhook.secretName=mine", "webhook.caBundle=Q0E=");
    const [volume] = listAt(managerOf(objects), "spec", "template", "spec", "volumes");
    expect(volume).toEqual({ name: "webhook-certs", secret: { secretName: "mine" } });
    const configurations = objects.filter(({ kind }) => kind.endsWith("WebhookConfiguration"));
    expect(configurations).toHaveLength(2);
    for (const each of configurations) {
      expect(each.metadata["annotations"]).toBeUndefined();
      expect(listAt(each, "webhooks").map((webhook) => textAt(webhook, "clientConfig", "caBundle"))).toEqual(["Q0E="]);
    }
  });

  it.each([
    { set: ["manager.image.repository=reg:5000/x", "manager.image.tag=v1"], image: "reg:5000/x:v1" },
    { set: ["manager.image.repository=reg:5000/x"], image: "reg:5000/x:0.1.0" },
    { set: ["manager.image.repository=reg:5000/x", "manager.image.digest=sha256:ab"], image: "reg:5000/x@sha256:ab" },
    {
      set: ["manager.image.repository=x", "manager.image.tag=v1", "manager.image.digest=sha256:ab"],
      image: "x:v1@sha256:ab",
    },
    { set: ["manager.image.repository=reg:5000/x@sha256:ab", "manager.image.tag=v1"], image: "reg:5000/x@sha256:ab" },
  ])("name the image $image by $set", async ({ set, image }) => {
    expect(textAt(containerOf(await rendered(...set)), "image")).toBe(image);
  });

  it("replace variables by name and render arguments", async () => {
    const objects = await rendered(
      "manager.env[0].name=COLOR",
      "manager.env[0].value=red",
      "manager.env[1].name=SIZE",
      "manager.env[1].value=big",
      "manager.envOverrides.COLOR=blue",
      "manager.args[0]=--zone={{ .Release.Namespace }}",
    );
    expect(listAt(containerOf(objects), "env")).toEqual([
      { name: "SIZE", value: "big" },
      { name: "COLOR", value: "blue" },
    ]);
    expect(argumentsOf(objects)).toContain("--zone=garden-system");
  });

  it("set what a Pod is like, without touching labels that are selected by", async () => {
    const objects = await rendered(
      "manager.replicas=3",
      "manager.labels.team=a",
      "manager.pod.labels.team=b",
      "manager.pod.labels.control-plane=other",
      "manager.pod.annotations.note=c",
      "manager.annotations.note=d",
      "manager.nodeSelector.disk=ssd",
      "manager.tolerations[0].operator=Exists",
      "manager.affinity.podAntiAffinity.x=y",
      "manager.priorityClassName=high",
      "manager.topologySpreadConstraints[0].maxSkew=1",
      "manager.strategy.type=Recreate",
      "manager.terminationGracePeriodSeconds=0",
      "manager.imagePullSecrets[0].name=key",
      "manager.extraVolumes[0].name=tmp",
      "manager.extraVolumeMounts[0].name=tmp",
      "manager.extraVolumeMounts[0].mountPath=/tmp",
      "manager.resources.limits.memory=1Gi",
    );
    const manager = managerOf(objects);
    expect(manager).toMatchObject({
      metadata: { labels: { team: "a", "control-plane": "controller-manager" }, annotations: { note: "d" } },
      spec: {
        replicas: 3,
        strategy: { type: "Recreate" },
        template: {
          metadata: {
            labels: { team: "b", "control-plane": "controller-manager" },
            annotations: { note: "c", "kubectl.kubernetes.io/default-container": "manager" },
          },
          spec: {
            nodeSelector: { disk: "ssd" },
            tolerations: [{ operator: "Exists" }],
            affinity: { podAntiAffinity: { x: "y" } },
            priorityClassName: "high",
            topologySpreadConstraints: [{ maxSkew: 1 }],
            terminationGracePeriodSeconds: 0,
            imagePullSecrets: [{ name: "key" }],
          },
        },
      },
    });
    expect(listAt(manager, "spec", "template", "spec", "volumes").map((each) => textAt(each, "name"))).toEqual([
      "webhook-certs",
      "tmp",
    ]);
    expect(mapAt(containerOf(objects), "resources", "limits")).toEqual({ cpu: "500m", memory: "1Gi" });
    expect(listAt(containerOf(objects), "volumeMounts")).toContainEqual({ name: "tmp", mountPath: "/tmp" });
  });

  it("give every object its own name below a release of any length, and let two releases live side by side", async () => {
    const long = "r".repeat(53);
    const [first, second] = await Promise.all([
      render(chart, { release: long, namespace: "one" }),
      render(chart, { release: "b", namespace: "two" }),
    ]);
    for (const each of first.objects.filter(({ kind }) => kind !== "CustomResourceDefinition"))
      expect(nameOf(each).length).toBeLessThanOrEqual(63);
    const shared = Object.keys(byKey(first.objects)).filter((key) => key in byKey(second.objects));
    expect(shared).toEqual(["CustomResourceDefinition /roses.plants.demo"]);
    expect(nameOf(managerOf(second.objects))).toBe("b-garden-controller-manager");
  });

  it("need the name of a service account that the chart is not to make", async () => {
    expect(await refused("serviceAccount.enabled=false")).toContain("serviceAccount.name is required");
    const objects = await rendered("serviceAccount.enabled=false", "serviceAccount.name=robot");
    expect(textAt(managerOf(objects), "spec", "template", "spec", "serviceAccountName")).toBe("robot");
    const bindings = objects.filter(({ kind }) => kind.endsWith("RoleBinding"));
    for (const each of bindings) expect(listAt(each, "subjects").map((one) => textAt(one, "name"))).toEqual(["robot"]);
  });

  it("rename everything with nameOverride and fullnameOverride", async () => {
    const names = async (...set: readonly string[]): Promise<readonly string[]> =>
      (await rendered(...set)).filter(({ kind }) => kind !== "CustomResourceDefinition").map(nameOf);
    expect((await names("fullnameOverride=plot")).every((name) => name.startsWith("plot-"))).toBe(true);
    expect((await names("nameOverride=bed")).every((name) => name.startsWith("garden-bed-"))).toBe(true);
  });

  it("keep definitions when a release is uninstalled, by default", async () => {
    const crd = async (...set: readonly string[]): Promise<Manifest | undefined> =>
      (await rendered(...set)).find(({ kind }) => kind === "CustomResourceDefinition");
    expect(mapAt(await crd(), "metadata", "annotations")["helm.sh/resource-policy"]).toBe("keep");
    expect(mapAt(await crd("crd.keep=false"), "metadata", "annotations")["helm.sh/resource-policy"]).toBeUndefined();
  });

  it("print texts with braces as they are", async () => {
    const file = "config/crd/bases/plants.demo_roses.yaml";
    const before = readFiles(root)[file] ?? "";
    const text = 'Say {{ .Name }} or {{- "x" }}.';
    const described = before.replace(/description: Rose is.*$/mu, `description: '${text}'`);
    writeFiles(root, { [file]: described });
    try {
      await runCommands(root, "edit --plugins=helm/v2-alpha --make=false");
      const crd = (await rendered()).find(({ kind }) => kind === "CustomResourceDefinition");
      expect(JSON.stringify(crd)).toContain(JSON.stringify(text));
    } finally {
      writeFiles(root, { [file]: before });
      await runCommands(root, "edit --plugins=helm/v2-alpha --make=false");
    }
  });
});

// Rows of switches in which every two of them have every two values: the columns of the numbers from 1, in binary, and their inverses.
function pairwise(columns: number): readonly (readonly boolean[])[] {
  const bits = Math.ceil(Math.log2(columns + 1));
  const codes = Array.from({ length: columns }, (_, index) => index + 1);
  const rows = Array.from({ length: bits }, (_, bit) => codes.map((code) => ((code >> bit) & 1) === 1));
  return [codes.map(() => true), codes.map(() => false), ...rows.flatMap((row) => [row, row.map((each) => !each)])];
}
