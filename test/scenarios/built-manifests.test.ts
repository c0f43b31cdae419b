import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { resolveAsset } from "@kubescaffold/envtest";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { withEverythingOn } from "../e2e/with-everything-on.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";
import { type PodSpec, restrictedViolations } from "./pod-security.ts";

type Labels = Readonly<Record<string, string>>;

interface Built {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly annotations?: Labels };
  // oxlint-disable-next-line typescript/no-explicit-any -- the specs of many kinds
  readonly spec: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- the webhooks of two kinds
  readonly webhooks?: readonly any[];
}

// kubectl builds what a cluster would get; any will do, the one that `npm run test:control-plane` builds comes first.
const kubectl = await resolveAsset("kubectl").catch(() =>
  spawnSync("kubectl", ["version", "--client"]).status === 0 ? "kubectl" : undefined,
);
if (kubectl === undefined) {
  console.warn("SKIPPED: no manifest was built and evaluated, since there is no kubectl");
}

// No cluster here admits Pods or enforces policies; these are the rules that one applies, applied to what kubectl builds.
describe.skipIf(kubectl === undefined)("the built manifests with everything switched on", () => {
  let objects: readonly Built[];
  let remove = (): void => undefined;

  beforeAll(async () => {
    const root = mkdtempSync(path.join(tmpdir(), "kubescaffold-built-"));
    remove = () => rmSync(root, { recursive: true, force: true });
    const conversion =
      "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2 --make=false";
    const second = `${CREATE_API.replace("--version v1", "--version v2")} --controller=false`;
    await runCommands(root, INIT, CREATE_API, second, CREATE_WEBHOOK, conversion, "manifests");
    writeFiles(root, withEverythingOn(readFiles(root)));
    const { status, stdout, stderr } = spawnSync(kubectl ?? "", ["kustomize", `${root}/config/default`], {
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(stderr);
    objects = readYamlDocuments(stdout, { file: "built" }) as unknown as readonly Built[];
  });

  afterAll(() => remove());

  const all = (kind: string): readonly Built[] => objects.filter((object) => object.kind === kind);
  const named = (kind: string, name: string | undefined): Built | undefined =>
    all(kind).find(({ metadata }) => metadata.name === name);
  const template = (): { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec } =>
    all("Deployment")[0]?.spec.template;
  const containerPorts = (): readonly { readonly name: string; readonly containerPort: number }[] =>
    template().spec.containers.flatMap(({ ports = [] }) => ports as never);

  it("scenario 35: make a Pod that a namespace admits which enforces restricted Pod security", () => {
    expect(all("Deployment")).toHaveLength(1);
    expect(restrictedViolations(template().spec)).toEqual([]);
  });

  it("scenario 29: have network policies that select the manager's Pods, and ports on which it listens", () => {
    const policies = all("NetworkPolicy");
    expect(policies.map(({ metadata }) => metadata.name)).toHaveLength(2);
    for (const { metadata, spec } of policies) {
      expect(metadata.namespace).toBe(all("Deployment")[0]?.metadata.namespace);
      expect(template().metadata.labels).toMatchObject(spec.podSelector.matchLabels);
      expect(spec.policyTypes).toEqual(["Ingress"]);
      for (const { ports, from } of spec.ingress) {
        for (const { port } of ports) {
          const isWebhook = containerPorts().some(({ containerPort }) => containerPort === port);
          const isMetrics = template().spec.containers.some(({ args }) =>
            (args as readonly string[]).includes(`--metrics-bind-address=:${String(port)}`),
          );
          expect({ port, isServed: isWebhook || isMetrics }).toEqual({ port, isServed: true });
        }
        for (const { namespaceSelector } of from ?? [])
          expect(namespaceSelector.matchLabels).toEqual({ metrics: "enabled" });
      }
    }
  });

  it("scenario 29: have Services that select the manager's Pods, and reach ports of theirs", () => {
    for (const { spec } of all("Service")) {
      expect(template().metadata.labels).toMatchObject(spec.selector);
      for (const { targetPort } of spec.ports) {
        const served = containerPorts().flatMap(({ name, containerPort }) => [name, containerPort]);
        const args = template().spec.containers.flatMap(({ args: given }) => given as readonly string[]);
        expect(served.includes(targetPort) || args.includes(`--metrics-bind-address=:${String(targetPort)}`)).toBe(
          true,
        );
      }
    }
  });

  it("scenario 28: name a Certificate of theirs wherever cert-manager is to put its authority", () => {
    const places = objects.flatMap(({ kind, metadata }) => {
      const from = metadata.annotations?.["cert-manager.io/inject-ca-from"];
      return from === undefined ? [] : [{ kind, from }];
    });
    expect(places.map(({ kind }) => kind).toSorted()).toEqual([
      "CustomResourceDefinition",
      "MutatingWebhookConfiguration",
      "ValidatingWebhookConfiguration",
    ]);
    for (const { from } of places) {
      const [namespace, name] = from.split("/");
      expect(named("Certificate", name)?.metadata.namespace).toBe(namespace);
    }
  });

  it("scenario 28: have Certificates for the names of their Services, from an Issuer of theirs, in Secrets that the manager mounts", () => {
    const mounted = (template().spec.volumes ?? []).map(
      ({ secret }) => (secret as { secretName?: string })?.secretName,
    );
    const services = all("Service").map(({ metadata }) => `${metadata.name}.${metadata.namespace ?? ""}.svc`);
    const certificates = all("Certificate");
    expect(certificates).toHaveLength(2);
    for (const { spec } of certificates) {
      expect(named("Issuer", spec.issuerRef.name)).toBeDefined();
      expect(mounted).toContain(spec.secretName);
      expect(services.some((service) => spec.dnsNames.includes(service))).toBe(true);
    }
  });

  it("scenario 28: name the Service of the webhooks and its namespace wherever the API server is to call them", () => {
    const configured = objects.flatMap(({ webhooks = [] }) => webhooks.map(({ clientConfig }) => clientConfig.service));
    const converting = all("CustomResourceDefinition").map(({ spec }) => spec.conversion.webhook.clientConfig.service);
    expect([...configured, ...converting]).toHaveLength(3);
    for (const { name, namespace } of [...configured, ...converting])
      expect(named("Service", name)?.metadata.namespace).toBe(namespace);
  });
});
