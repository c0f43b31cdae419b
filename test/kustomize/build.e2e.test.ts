import { describe, expect, it } from "vitest";

import { byKey, KUBECTL, kustomize } from "../../plugins/helm/test/rendering.ts";
import { buildKustomization } from "../../src/kustomize/build.ts";
import { splitImage } from "../../src/kustomize/workloads.ts";
import { goldenProjects, projectForm } from "../e2e/golden-projects.ts";
import { withEverythingOn } from "../e2e/with-everything-on.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  namespace: system
  labels: {app: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: web
      containers:
      - name: main
        image: reg:5000/web:v1
        args: [--a]
        env:
        - {name: A, value: "1"}
        - name: B
          valueFrom: {configMapKeyRef: {name: settings, key: b}}
        ports:
        - {containerPort: 80, name: http}
        volumeMounts:
        - {mountPath: /etc/b, name: settings}
      - name: side
        image: helper
      volumes:
      - name: settings
        configMap: {name: settings}
      - name: key
        secret: {secretName: key}
`;
const OTHERS = `apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: system}
data: {b: "2"}
---
apiVersion: v1
kind: Namespace
metadata: {name: system}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: web, namespace: system}
---
apiVersion: v1
kind: Secret
metadata: {name: key, namespace: system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects:
- {kind: ServiceAccount, name: web, namespace: system}
- {kind: ServiceAccount, name: default, namespace: other}
- {kind: ServiceAccount, name: stranger, namespace: elsewhere}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: system}
spec:
  selector: {app: web}
  ports: [{port: 80}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: hooks}
webhooks:
- name: a.b.c
  clientConfig: {service: {name: web, namespace: system, path: /x}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: only, namespace: system}
spec:
  podSelector: {matchLabels: {app: web}}
  ingress: []
`;
const PERMISSIONS = `apiVersion: rbac.authorization.k8s.io/v1
kind: KIND
metadata: {name: named, namespace: system}
rules:
- apiGroups: [""]
  resources: [things]
  resourceNames: [settings, key, web, hooks, disk, stranger]
  verbs: [get]
`;
const BASE = {
  "base/web.yaml": DEPLOYMENT,
  "base/others.yaml": OTHERS,
  "base/kustomization.yaml": "resources: [web.yaml, others.yaml]\n",
};

// Each is a kustomization on top of the objects above, and what else is beside it.
const CASES: Readonly<
  Record<string, { readonly kustomization: string; readonly files?: Readonly<Record<string, string>> }>
> = {
  "nothing but resources": { kustomization: "" },
  "a namespace and a prefix": { kustomization: "namespace: prod\nnamePrefix: my-\n" },
  "a suffix, and no namespace": { kustomization: "nameSuffix: -two\n" },
  "labels of objects alone": { kustomization: "labels:\n- pairs: {team: a}\n" },
  "labels of templates too": { kustomization: "labels:\n- includeTemplates: true\n  pairs: {team: a}\n" },
  "labels of selectors too": { kustomization: "labels:\n- includeSelectors: true\n  pairs: {team: a}\n" },
  "common labels and annotations": { kustomization: "commonLabels: {team: a}\ncommonAnnotations: {note: b}\n" },
  "images, by tag and by digest": {
    kustomization:
      "images:\n- {name: 'reg:5000/web', newName: other, newTag: v2}\n- {name: helper, digest: 'sha256:ab'}\n",
  },
  "an image that keeps its tag": { kustomization: "images:\n- {name: 'reg:5000/web', newName: mirror/web}\n" },
  replicas: { kustomization: "replicas:\n- {name: web, count: 5}\n" },
  "a patch by operations": {
    kustomization: "patches:\n- path: p.yaml\n  target: {kind: Deployment}\n",
    files: {
      "top/p.yaml": `- op: add
  path: /spec/template/spec/containers/0/args/0
  value: --first
- op: add
  path: /spec/template/spec/containers/0/args/-
  value: --last
- op: replace
  path: /spec/template/spec/containers/1/image
  value: x
- op: remove
  path: /metadata/labels
`,
    },
  },
  "a patch of several objects, by a pattern": {
    kustomization: `patches:
- target: {kind: .*Role.*, name: rea.*}
  patch: |
    - op: add
      path: /metadata/labels
      value: {seen: "yes"}
`,
  },
  "a strategic patch": {
    kustomization: `patches:
- patch: |
    apiVersion: apps/v1
    kind: Deployment
    metadata: {name: web, namespace: system, annotations: {note: a}}
    spec:
      replicas: 2
      template:
        spec:
          containers:
          - name: main
            args: [--b]
            env:
            - {name: A, value: "9"}
            - {name: B, $patch: delete}
            - {name: C, value: "3"}
          - {name: extra, image: extra}
          serviceAccountName: null
          volumes:
          - {name: more, emptyDir: {}}
`,
  },
  "patches in the forms of former years": {
    kustomization: `patchesStrategicMerge:
- s.yaml
patchesJson6902:
- target: {version: v1, kind: Service, name: web}
  path: j.yaml
`,
    files: {
      "top/s.yaml":
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: system}\ndata: {c: '3', b: null}\n",
      "top/j.yaml": "- {op: replace, path: /spec/ports/0/port, value: 81}\n",
    },
  },
  "replacements, whole and in part": {
    kustomization: `namespace: prod
namePrefix: my-
replacements:
- source: {kind: Service, name: web, fieldPath: metadata.name}
  targets:
  - select: {kind: Deployment}
    fieldPaths:
    - spec.template.spec.containers.[name=main].args.0
  - select: {kind: ValidatingWebhookConfiguration}
    fieldPaths: [".metadata.annotations.[a.b/c]"]
    options: {delimiter: /, index: 1, create: true}
- source: {kind: Service, name: web, fieldPath: .metadata.namespace}
  targets:
  - select: {kind: ValidatingWebhookConfiguration}
    fieldPaths: [".metadata.annotations.[a.b/c]"]
    options: {delimiter: /, index: 0, create: true}
- source: {kind: Deployment, name: web, fieldPath: spec.template.spec.containers.0.image, options: {delimiter: ":", index: 1}}
  targets:
  - select: {kind: ConfigMap}
    fieldPaths: [data.b]
  - select: {kind: Deployment}
    reject: [{name: web}]
    fieldPaths: [metadata.name]
`,
  },
  "places of names of one's own": {
    kustomization: "namePrefix: my-\nconfigurations: [c.yaml]\nresources: [../base, crd.yaml, issuer.yaml]\n",
    files: {
      "top/c.yaml":
        "nameReference:\n- kind: Issuer\n  group: cert-manager.io\n  fieldSpecs:\n  - {kind: Certificate, group: cert-manager.io, path: spec/issuerRef/name}\n- kind: Service\n  version: v1\n  fieldSpecs:\n  - {kind: CustomResourceDefinition, path: spec/conversion/webhook/clientConfig/service/name}\n",
      "top/crd.yaml":
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: as.b.c}\nspec:\n  conversion: {webhook: {clientConfig: {service: {name: web, namespace: system}}}}\n",
      "top/issuer.yaml":
        "apiVersion: cert-manager.io/v1\nkind: Issuer\nmetadata: {name: self, namespace: system}\n---\napiVersion: cert-manager.io/v1\nkind: Certificate\nmetadata: {name: cert, namespace: system}\nspec: {issuerRef: {kind: Issuer, name: self}, dnsNames: [x.y.svc]}\n",
    },
  },
  "names in permissions": {
    kustomization: "namePrefix: my-\nnamespace: prod\nresources: [../base, roles.yaml, volume.yaml]\n",
    files: {
      "top/roles.yaml": `${PERMISSIONS.replace("KIND", "Role")}---\n${PERMISSIONS.replace("KIND", "ClusterRole")}`,
      "top/volume.yaml": "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: disk}\n",
    },
  },
  "names in permissions and variables, at places of one's own": {
    kustomization:
      "namePrefix: my-\nnamespace: prod\nconfigurations: [c.yaml]\nresources: [../base, roles.yaml, manager.yaml]\n",
    files: {
      "top/c.yaml": ["Service", "ValidatingWebhookConfiguration", "Secret"]
        .map(
          (kind) =>
            `- kind: ${kind}\n  fieldSpecs:\n  - {kind: ClusterRole, path: rules/resourceNames}\n  - {kind: Deployment, path: spec/template/spec/containers/env/value}\n`,
        )
        .reduce((text, each) => text + each, "nameReference:\n"),
      "top/roles.yaml": `${PERMISSIONS.replace("KIND", "Role")}---\n${PERMISSIONS.replace("KIND", "ClusterRole")}`,
      "top/manager.yaml":
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: manager, namespace: system}\nspec: {template: {spec: {containers: [{name: a, env: [{name: A, value: web}, {name: B, value: hooks}, {name: C, value: key}, {name: D, value: other}, {name: E}, {name: F, value: ''}]}]}}}\n",
    },
  },
  "two prefixes, one above the other": {
    kustomization: "namePrefix: outer-\nresources: [../middle]\n",
    files: { "middle/kustomization.yaml": "namePrefix: inner-\nnamespace: deep\nresources: [../base]\n" },
  },
};

function filesOf(name: string): Readonly<Record<string, string>> {
  const { kustomization, files = {} } = CASES[name] ?? { kustomization: "" };
  const resources = kustomization.includes("resources:") ? "" : "resources: [../base]\n";
  return { ...BASE, ...files, "top/kustomization.yaml": `${resources}${kustomization}` };
}

// Needs the kubectl that `npm run test:control-plane` builds.
describe.skipIf(KUBECTL === undefined)("a kustomization makes what kubectl makes of it", () => {
  it.each(Object.keys(CASES))("with %s", async (name) => {
    const files = filesOf(name);
    const made = buildKustomization((path) => files[path], "top");
    expect(byKey(made)).toEqual(byKey(await kustomize(temporaryFolder(files), "top")));
  });

  it.each(
    goldenProjects().flatMap((project) => [
      { name: `${project.name}, as scaffolded`, files: projectForm(project) },
      { name: `${project.name}, with everything switched on`, files: withEverythingOn(projectForm(project)) },
    ]),
  )("in the golden project $name", async ({ files }) => {
    const made = buildKustomization((path) => files[path], "config/default");
    expect(byKey(made)).toEqual(byKey(await kustomize(temporaryFolder(files))));
  });
});

describe("a kustomization", () => {
  it("gives names, namespaces and references as one", () => {
    const files = filesOf("a namespace and a prefix");
    const objects = byKey(buildKustomization((path) => files[path], "top"));
    expect(Object.keys(objects)).toEqual([
      "Deployment prod/my-web",
      "ConfigMap prod/my-settings",
      "Namespace /prod",
      "ServiceAccount prod/my-web",
      "Secret prod/my-key",
      "ClusterRole /my-reader",
      "ClusterRoleBinding /my-reader",
      "Service prod/my-web",
      "ValidatingWebhookConfiguration /my-hooks",
      "NetworkPolicy prod/my-only",
    ]);
    expect(objects["ClusterRoleBinding /my-reader"]).toMatchObject({
      roleRef: { name: "my-reader" },
      subjects: [
        { name: "my-web", namespace: "prod" },
        { name: "default", namespace: "prod" },
        { name: "stranger", namespace: "elsewhere" },
      ],
    });
    expect(objects["ValidatingWebhookConfiguration /my-hooks"]).toMatchObject({
      webhooks: [{ clientConfig: { service: { name: "my-web", namespace: "prod" } } }],
    });
    expect(JSON.stringify(objects["Deployment prod/my-web"])).toMatch(/my-settings.*"secretName":"my-key"/u);
  });

  it.each([
    { files: {}, problem: "it has no kustomization.yaml" },
    { files: { "top/kustomization.yaml": "a: [" }, problem: "top/kustomization.yaml" },
    { files: { "top/kustomization.yaml": "- a" }, problem: "it is not a mapping" },
    { files: { "top/kustomization.yaml": "resources: x" }, problem: "resources is not a list" },
    {
      files: { "top/kustomization.yaml": "resources: [no.yaml]" },
      problem: "it refers to no.yaml: no such file",
    },
    { files: { "top/kustomization.yaml": "components: [a]" }, problem: "its field components is not supported" },
    {
      files: { "top/kustomization.yaml": "resources: [a.yaml]", "top/a.yaml": "kind: A" },
      problem: "not an object with apiVersion",
    },
    { files: { "top/kustomization.yaml": "patches: [{path: p.yaml}]" }, problem: "it refers to top/p.yaml" },
    {
      files: {
        "top/kustomization.yaml": "transformers: [t.yaml]",
        "top/t.yaml": "apiVersion: builtin\nkind: PrefixTransformer\nmetadata: {name: t}",
      },
      problem: "its transformer t is a PrefixTransformer, but only PatchTransformer is supported",
    },
    {
      files: {
        "top/kustomization.yaml": "namespace: prod\nresources: [a.yaml]",
        "top/a.yaml": ["a", "b"]
          .map((namespace) => `apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: ${namespace}}\n`)
          .join("---\n"),
      },
      problem: "its namespace makes two objects one: each is the Secret s in prod",
    },
    {
      files: { "top/kustomization.yaml": "patches: [{path: p.yaml}]", "top/p.yaml": "- {op: add, path: /a, value: 1}" },
      problem: "the patch p.yaml has no target",
    },
    {
      files: { "top/kustomization.yaml": "patches: [{path: p.yaml}]", "top/p.yaml": "kind: A\nmetadata: {name: a}" },
      problem: "the target of the patch, A a, does not exist",
    },
    {
      files: {
        ...BASE,
        "top/kustomization.yaml": "resources: [../base]\npatches: [{target: {labelSelector: a=b}, patch: '[]'}]",
      },
      problem: "patches by labelSelector are not supported",
    },
    {
      files: {
        ...BASE,
        "top/kustomization.yaml":
          "resources: [../base]\npatches: [{target: {kind: Service}, patch: '[{op: remove, path: /nope}]'}]",
      },
      problem: "nope",
    },
    {
      files: {
        ...BASE,
        "top/kustomization.yaml": "resources: [../base]\nreplacements: [{source: {kind: Nope}, targets: []}]",
      },
      problem: "no object matches the source",
    },
    {
      files: {
        ...BASE,
        "top/kustomization.yaml":
          "resources: [../base]\nreplacements: [{source: {kind: Service}, targets: [{select: {kind: Secret}, fieldPaths: [data.x]}]}]",
      },
      problem: "a target of a replacement has no value at data.x",
    },
  ])("is refused: $problem", ({ files, problem }) => {
    const read = (path: string): string | undefined => (files as Readonly<Record<string, string>>)[path];
    expect(() => buildKustomization(read, "top")).toThrow(
      expect.objectContaining({ code: "KUSTOMIZATION", message: expect.stringContaining(problem) }),
    );
  });
});

describe("an image reference", () => {
  it.each([
    ["x", { name: "x", tag: "", digest: "" }],
    ["x:1", { name: "x", tag: "1", digest: "" }],
    ["reg:5000/x", { name: "reg:5000/x", tag: "", digest: "" }],
    ["reg:5000/x:1@sha256:ab", { name: "reg:5000/x", tag: "1", digest: "sha256:ab" }],
  ])("%s has its parts", (image, parts) => {
    expect(splitImage(image)).toEqual(parts);
  });
});
