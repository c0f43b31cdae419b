// Webhooks whose kustomization changes them, as projects of others have it: minimized.
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { builtWebhooks, type BuiltWebhooks } from "../../../src/go-project/kustomizations/carried-fields.ts";
import { readManifestFacts } from "../../../src/go-project/manifest-facts.ts";
import { configuration, webhook } from "../../support/go-projects.ts";

type Files = Readonly<Record<string, string>>;

const FOLDER = "config/webhook";
const BOATS = webhook("boat.kb.io", { path: "/mutate-boat", group: "sea.io", resource: "boats" });
const PODS = webhook("pod.kb.io", { path: "/mutate--v1-pod", group: "", resource: "pods" });
const CHECKED = webhook("checked.kb.io", { path: "/validate--v1-pod", group: "", resource: "pods" });
const MANIFESTS = configuration("mutating", [BOATS, PODS]) + configuration("validating", [CHECKED]);
const SERVICE = "apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service, namespace: system}\n";

function built(kustomization: string, others: Files = {}): BuiltWebhooks {
  const files: Files = {
    [`${FOLDER}/manifests.yaml`]: MANIFESTS,
    [`${FOLDER}/service.yaml`]: SERVICE,
    [`${FOLDER}/kustomization.yaml`]: `resources:\n- manifests.yaml\n- service.yaml\n${kustomization}`,
    ...Object.fromEntries(Object.entries(others).map(([name, text]) => [`${FOLDER}/${name}`, text])),
  };
  const project = { paths: Object.keys(files), read: (file: string) => files[file] };
  return builtWebhooks(project, readManifestFacts(project).webhooks);
}

const raw = built("");
const named = ({ webhooks }: BuiltWebhooks, name: string): unknown =>
  webhooks.find(({ object }) => object["name"] === name)?.object;
const SELECTOR = { matchExpressions: [{ key: "sea.io/name", operator: "Exists" }] };
const target = (word: string): string =>
  `  target: {group: admissionregistration.k8s.io, version: v1, kind: ${word}WebhookConfiguration, name: ${word.toLowerCase()}-webhook-configuration}\n`;

describe("builtWebhooks", () => {
  it("gives the webhooks of the manifest if the kustomization only lists them", () => {
    expect(raw.webhooks.map(({ object }) => object["name"])).toEqual(["boat.kb.io", "pod.kb.io", "checked.kb.io"]);
    expect(built("configurations:\n- kustomizeconfig.yaml\n")).toEqual(raw);
  });

  it("has the selector that a JSON patch replaces a webhook with", () => {
    const value = JSON.stringify({ ...(named(raw, "pod.kb.io") as object), objectSelector: SELECTOR });
    const result = built(`patches:\n- path: patch.yaml\n${target("Mutating")}`, {
      "patch.yaml": `- {op: replace, path: /webhooks/1, value: ${value}}\n`,
    });
    expect(named(result, "pod.kb.io")).toMatchObject({ objectSelector: SELECTOR });
    expect(named(result, "boat.kb.io")).toEqual(named(raw, "boat.kb.io"));
  });

  it.each([
    ["patches", "- path: patch.yaml\n"],
    ["patchesStrategicMerge", "- patch.yaml\n"],
  ])("has the selectors that %s merge by name, in the order of the manifest", (key, entry) => {
    const selector = JSON.stringify(SELECTOR);
    const head = (word: string): string =>
      `apiVersion: admissionregistration.k8s.io/v1\nkind: ${word}WebhookConfiguration\nmetadata: {name: ${word.toLowerCase()}-webhook-configuration}\nwebhooks:\n`;
    const result = built(`${key}:\n${entry}`, {
      "patch.yaml": `${head("Mutating")}- {name: pod.kb.io, objectSelector: ${selector}}\n---\n${head("Validating")}- {name: checked.kb.io, namespaceSelector: ${selector}}\n`,
    });
    expect(result.webhooks.map(({ object }) => object["name"])).toEqual(["boat.kb.io", "pod.kb.io", "checked.kb.io"]);
    expect(named(result, "pod.kb.io")).toMatchObject({ objectSelector: SELECTOR });
    expect(named(result, "checked.kb.io")).toMatchObject({ namespaceSelector: SELECTOR });
  });

  it("leaves out a webhook that a patch deletes", () => {
    const result = built(`patches:\n- path: patch.yaml\n${target("Mutating")}`, {
      "patch.yaml": "- {op: remove, path: /webhooks/0}\n",
    });
    expect(result.webhooks.map(({ object }) => object["name"])).toEqual(["pod.kb.io", "checked.kb.io"]);
  });

  // The new project sets them itself.
  it.each([
    ["a prefix, a suffix, and a namespace", "namePrefix: fleet-\nnameSuffix: -x\nnamespace: boats\n", {}],
    [
      "a Service of another name",
      "replacements:\n- source: {kind: Service, name: fleet-svc}\n  targets:\n  - select: {kind: MutatingWebhookConfiguration}\n    fieldPaths: [webhooks.*.clientConfig.service.name]\n  - select: {kind: ValidatingWebhookConfiguration}\n    fieldPaths: [webhooks.*.clientConfig.service.name]\n",
      { "service.yaml": SERVICE.replace("webhook-service", "fleet-svc") },
    ],
  ])("is the same with %s", (_, kustomization, others) => {
    expect(built(kustomization, others).webhooks).toEqual(raw.webhooks);
  });

  it("keeps a Service that is not in the folder", () => {
    const other = { clientConfig: { service: { name: "kubernetes", namespace: "default", path: "/apis/x" } } };
    const manifests = JSON.stringify({
      ...(readYamlDocuments(configuration("validating", []), { file: "x" })[0] as object),
      webhooks: [{ ...(named(raw, "checked.kb.io") as object), ...other }],
    });
    const result = built("namePrefix: fleet-\n", { "manifests.yaml": manifests });
    expect(named(result, "checked.kb.io")).toMatchObject(other);
  });

  it("gives the webhooks of the manifest and the reason if the folder cannot be built", () => {
    const { webhooks, notMapped } = built("patches:\n- path: missing.yaml\n");
    expect(webhooks).toEqual(raw.webhooks);
    expect(notMapped).toEqual([
      {
        what: "config/webhook/kustomization.yaml",
        why: expect.stringContaining("it refers to config/webhook/missing.yaml: no such file") as string,
      },
    ]);
  });
});
