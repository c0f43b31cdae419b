import { type KubernetesMinor, SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { describe, expect, it } from "vitest";

import type { Diagnostic } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";

async function check(source: string, kubernetesVersion: KubernetesMinor, words = ""): Promise<readonly Diagnostic[]> {
  const { diagnostics } = await runGenerators({
    root: "/p",
    arguments: ["rbac:roleName=manager", `crd${words}`, "paths=./..."],
    host: memoryHost({ "/p/internal/controller/widget_controller.ts": source }),
    kubernetesVersion,
    checksReleases: true,
  });
  return diagnostics;
}

const shown = ({ code, line, column, message }: Diagnostic): string => `${line}:${column} ${code} ${message}`;

async function found(source: string, minor: KubernetesMinor = "1.34"): Promise<readonly string[]> {
  return (await check(source, minor)).map((each) => shown(each));
}

const OLD = "Kubernetes 1.34 and 1.35 have no field schedulingGroup in PodSpec of core/v1";
const POD = 'import type { Pod, PodSpec } from "@kubescaffold/k8s/core/v1";';

describe("a field that an older version lacks is reported", () => {
  it.each([
    ["in a typed literal", "const spec: PodSpec = { containers: [], schedulingGroup: {} };", "2:41"],
    ["in a part of a typed literal", "const pod: Pod = { metadata: {}, spec: { schedulingGroup: {} } };", "2:42"],
    ["in what a function returns", "function pod(): Pod {\n  return { spec: { schedulingGroup: {} } };\n}", "3:20"],
    [
      "in what an async function returns",
      "const pod = async (): Promise<Pod> => ({ spec: { schedulingGroup: {} } });",
      "2:50",
    ],
    ["in a checked literal", "const pod = { spec: { schedulingGroup: {} } } satisfies Pod;", "2:23"],
    ["in a condition", "const spec: PodSpec = { containers: [], ...(isNew ? { schedulingGroup: {} } : {}) };", "2:55"],
    ["in an item of a list", "const pods: Pod[] = [{ spec: { schedulingGroup: {} } }];", "2:32"],
    [
      "in the items of a mapped list",
      "const pods: Pod[] = names.map((name) => ({ spec: { schedulingGroup: {} } }));",
      "2:52",
    ],
    ["in an argument", "function add(spec: PodSpec) {}\nadd({ containers: [], schedulingGroup: {} });", "3:23"],
    ["in an assignment", "function change(pod: Pod) {\n  pod.spec!.schedulingGroup = {};\n}", "3:13"],
    ["in a value that is read", "const group = (pod: Pod) => pod.spec?.schedulingGroup;", "2:39"],
    ["in a destructured parameter", "const read = ({ spec: { schedulingGroup } }: Pod) => schedulingGroup;", "2:25"],
    [
      "in what a method returns",
      "class Builder {\n  #pod(): Pod {}\n  run() {\n    return this.#pod().spec?.schedulingGroup;\n  }\n}",
      "5:30",
    ],
    ["in a loop", "const all = (pods: Pod[]) => { for (const { spec } of pods) spec.schedulingGroup; };", "2:66"],
    [
      "behind a written type",
      'const group: (spec: PodSpec["containers"], pod: Pod) => void = (_, { spec }: Pod) => spec.schedulingGroup;',
      "2:91",
    ],
  ])("%s", async (_, statement, place) => {
    expect(await found(`${POD}\n${statement}\n`)).toEqual([`${place} KUBERNETES_LACKS_FIELD ${OLD}`]);
  });

  it.each([
    ["create", "const pod = Pod.create({ spec: { schedulingGroup: {} } });", "2:34"],
    ["a client", "const { spec } = await client.get(Pod, key);\nspec.schedulingGroup;", "3:6"],
    ["a list", "for (const pod of (await client.list(Pod)).items) pod.spec.schedulingGroup;", "2:60"],
    [
      "a callback",
      "await createOrUpdate(client, Pod.create({}), (pod) => ({ ...pod, spec: { schedulingGroup: {} } }));",
      "2:74",
    ],
  ])("in an object of %s", async (_, statement, place) => {
    const source = `import { Pod } from "@kubescaffold/k8s/core/v1";\n${statement}\n`;
    expect(await found(source)).toEqual([`${place} KUBERNETES_LACKS_FIELD ${OLD}`]);
  });

  it("in an object that states its kind", async () => {
    const pod = '{ apiVersion: "v1", kind: "Pod", spec: { schedulingGroup: {} } }';
    expect(await found(`await client.create(${pod});\n`)).toEqual([`1:62 KUBERNETES_LACKS_FIELD ${OLD}`]);
  });

  it("in what is applied", async () => {
    const source =
      'import type { PodSpecApply } from "@kubescaffold/k8s/apply/core/v1";\nconst spec: PodSpecApply = { schedulingGroup: {} };\n';
    expect(await found(source)).toEqual([`2:30 KUBERNETES_LACKS_FIELD ${OLD}`]);
  });

  it("in a template of a workload, through a namespace import", async () => {
    const source =
      'import * as apps from "@kubescaffold/k8s/apps/v1";\nconst set: apps.StatefulSet = { spec: { template: { spec: { volumes: [{ emptyDir: { mode: 1 } }] } } } };\n';
    expect(await found(source, "1.36")).toEqual([
      "2:85 KUBERNETES_LACKS_FIELD Kubernetes 1.36 has no field mode in EmptyDirVolumeSource of core/v1",
    ]);
  });
});

it("a field that newer versions lack is reported", async () => {
  const source = `${POD}\nconst spec: PodSpec = { containers: [], workloadRef: { name: "a" } };\n`;
  expect(await found(source, "1.35")).toEqual([
    "2:41 KUBERNETES_LACKS_FIELD Kubernetes 1.36 and 1.37 have no field workloadRef in PodSpec of core/v1",
  ]);
  expect((await check(source, "1.35"))[0]?.hint).toBe(
    "omit it, or allow it with the comment `+kubescaffold:relax=KUBERNETES_LACKS_FIELD` in the line above",
  );
});

it("a variable of the same name in another scope is another one", async () => {
  const source = `${POD}\nfunction one(pod: Pod) {}\nfunction two(pod: Other) {\n  pod.spec.schedulingGroup;\n}\nfunction three(pod: Pod) {\n  const find = (pod) => pod.spec.schedulingGroup;\n}\n`;
  expect(await found(source)).toEqual([]);
});

it("fields that no version has are left to the compiler", async () => {
  expect(await found(`${POD}\nconst spec: PodSpec = { containers: [], schedulingGroups: {} };\n`)).toEqual([]);
});

it("types and kinds are reported where they are imported or stated", async () => {
  const imports =
    'import { MutatingAdmissionPolicy } from "@kubescaffold/k8s/admissionregistration/v1";\nimport { SkipNodeOperation } from "@kubescaffold/k8s/resource/v1";\n';
  const object = 'const object = { apiVersion: "resource.k8s.io/v1", kind: "DeviceTaintRule" };\n';
  expect(await found(`${imports}${object}`, "1.35")).toEqual([
    "1:10 KUBERNETES_LACKS_TYPE Kubernetes 1.35 has no type MutatingAdmissionPolicy in admissionregistration/v1",
    "3:52 KUBERNETES_LACKS_TYPE Kubernetes 1.35 and 1.36 have no kind DeviceTaintRule in resource.k8s.io/v1",
  ]);
});

const MARKERS = `
// +kubebuilder:rbac:groups=admissionregistration.k8s.io,resources=mutatingadmissionpolicies,verbs=get;list
// +kubebuilder:rbac:groups=core;apps,resources=pods;deployments/scale,verbs=*
// +kubebuilder:rbac:groups=storage.k8s.io,resources=csinodes/status,verbs=patch
// +kubebuilder:rbac:groups="*",resources="*",verbs="*"
// +kubebuilder:rbac:groups=example.com,resources=devicetaintrules,verbs=get
// +kubebuilder:webhook:path=/mutate,mutating=true,failurePolicy=fail,sideEffects=None,groups=resource.k8s.io,resources=devicetaintrules,verbs=create,versions=v1,name=m.example.com,admissionReviewVersions=v1

export class WidgetReconciler {}
`;

it("resources of permissions and webhooks are reported at their markers", async () => {
  expect(await found(MARKERS)).toEqual([
    "2:4 KUBERNETES_LACKS_RESOURCE Kubernetes 1.34 and 1.35 have no resource mutatingadmissionpolicies in admissionregistration.k8s.io",
    "4:4 KUBERNETES_LACKS_RESOURCE Kubernetes 1.34, 1.35, and 1.36 have no resource csinodes/status in storage.k8s.io",
    "7:4 KUBERNETES_LACKS_RESOURCE Kubernetes 1.34, 1.35, and 1.36 have no resource devicetaintrules in resource.k8s.io in version v1",
  ]);
});

it("formats that a version does not check are reported", async () => {
  const source =
    'import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";\n// +groupName=example.com\n\nexport interface Widget extends KubernetesObject {\n  spec: {\n    // +kubebuilder:validation:Format=k8s-short-name\n    name?: string;\n  };\n}\n';
  expect(await found(source, "1.34")).toEqual([
    "6:8 KUBERNETES_LACKS_FORMAT Kubernetes 1.34 has no check of the format k8s-short-name",
  ]);
  expect(await found(source, "1.35")).toEqual([]);
});

it("findings are warnings with a hint, which the next minor version in PROJECT resolves", async () => {
  const [finding] = await check(MARKERS, "1.35");
  expect(finding).toMatchObject({ severity: "warning", file: "internal/controller/widget_controller.ts", line: 2 });
  expect(finding?.hint).toBe(
    "omit it, select 1.36 for the project with `edit --kubernetes 1.36`, or allow it with the comment `+kubescaffold:relax=KUBERNETES_LACKS_RESOURCE` in the line above",
  );
  expect(await found(MARKERS, "1.37")).toEqual([]);
});

it("a comment, or an option for the run, relaxes a finding", async () => {
  const spec =
    "const spec: PodSpec = {\n  containers: [],\n  // +kubescaffold:relax=KUBERNETES_LACKS_FIELD\n  schedulingGroup: {},\n};";
  expect(await found(`${POD}\n${spec}\n`)).toEqual([]);
  expect(await found(`${POD}\n${spec.replace("LACKS_FIELD", "LACKS_TYPE")}\n`)).toHaveLength(1);
  expect(await check(MARKERS, "1.34", ":relax=KUBERNETES_LACKS_RESOURCE")).toEqual([]);
  const relaxed = MARKERS.replaceAll(
    "\n// +kubebuilder",
    "\n// +kubescaffold:relax=KUBERNETES_LACKS_RESOURCE\n// +kubebuilder",
  );
  expect(await found(relaxed)).toEqual([]);
});

it("the default is no report", async () => {
  const options = {
    root: "/p",
    arguments: ["rbac:roleName=manager", "paths=./..."],
    host: memoryHost({ "/p/main.ts": MARKERS }),
  };
  for (const kubernetesVersion of SUPPORTED_MINORS)
    expect((await runGenerators({ ...options, kubernetesVersion })).diagnostics).toEqual([]);
});
