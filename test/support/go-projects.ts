// Projects in Go as kubebuilder and controller-gen leave them: PROJECT, generated manifests, settings, and the names of the files.

const ALL = ["create", "delete", "get", "list", "patch", "update", "watch"];

interface Rule {
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

function block(key: string, values: readonly string[], indent: string): string {
  return `${indent}${key}:\n${values.map((value) => `${indent}- ${value === "" || value === "*" ? JSON.stringify(value) : value}\n`).join("")}`;
}

function ruleText({ groups, resourceNames = [], resources, verbs }: Rule): string {
  const names = resourceNames.length === 0 ? "" : block("resourceNames", resourceNames, "  ");
  return `${block("apiGroups", groups, "  ").replace("  ", "- ")}${names}${block("resources", resources, "  ")}${block("verbs", verbs, "  ")}`;
}

export function role(rules: readonly Rule[], { namespace = "", extra = "" } = {}): string {
  const place = namespace === "" ? "" : `  namespace: ${namespace}\n`;
  const kind = namespace === "" ? "ClusterRole" : "Role";
  return `---\napiVersion: rbac.authorization.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: manager-role\n${place}rules:\n${extra}${rules.map((rule) => ruleText(rule)).join("")}`;
}

interface CrdParts {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope?: string;
  /** By version, the properties of the spec. */
  readonly versions: Readonly<Record<string, string>>;
  readonly required?: string;
}

export function crd({ group, kind, plural, scope = "Namespaced", versions, required = "" }: CrdParts): string {
  const listed = Object.entries(versions).map(
    ([name, fields], index) => `  - name: ${name}
    schema:
      openAPIV3Schema:
        description: ${kind} is the Schema for the ${plural} API.
        properties:
          apiVersion:
            description: |-
              APIVersion defines the versioned schema of this representation of an object.
              Servers should convert recognized schemas to the latest internal value, and
              may reject unrecognized values.
              More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
            type: string
          kind:
            description: |-
              Kind is a string value representing the REST resource this object represents.
              Servers may infer this from the endpoint the client submits requests to.
              Cannot be updated.
              In CamelCase.
              More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
            type: string
          metadata:
            type: object
          spec:
            description: spec defines the desired state of ${kind}
            properties:
${fields}
${required === "" ? "" : `            required:\n            - ${required}\n`}            type: object
          status:
            description: status defines the observed state of ${kind}
            properties:
              ready:
                type: boolean
            type: object
        required:
        - spec
        type: object
    served: true
    storage: ${String(index === 0)}
    subresources:
      status: {}
`,
  );
  return `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  annotations:
    controller-gen.kubebuilder.io/version: v0.20.1
  name: ${plural}.${group}
spec:
  group: ${group}
  names:
    kind: ${kind}
    listKind: ${kind}List
    plural: ${plural}
    singular: ${kind.toLowerCase()}
  scope: ${scope}
  versions:
${listed.join("")}`;
}

export const SIZE = `              size:
                description: size is how many there are
                format: int32
                maximum: 9
                minimum: 1
                type: integer`;

const NAME = `              mode:
                default: fast
                enum:
                - fast
                - safe
                type: string`;

export function webhook(
  name: string,
  {
    path,
    group,
    resource,
    extra = "",
    policy = "Fail",
  }: { path: string; group: string; resource: string; extra?: string; policy?: string },
): string {
  return `- admissionReviewVersions:
  - v1
  clientConfig:
    service:
      name: webhook-service
      namespace: system
      path: ${path}
  failurePolicy: ${policy}
  name: ${name}
${extra}  rules:
  - apiGroups:
    - ${JSON.stringify(group)}
    apiVersions:
    - v1
    operations:
    - CREATE
    - UPDATE
    resources:
    - ${resource}
  sideEffects: None
`;
}

export function configuration(word: "mutating" | "validating", webhooks: readonly string[], name?: string): string {
  const kind = word === "mutating" ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration";
  return `---\napiVersion: admissionregistration.k8s.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name ?? `${word}-webhook-configuration`}\nwebhooks:\n${webhooks.join("")}`;
}

export function ownRules(group: string, plurals: readonly string[]): readonly Rule[] {
  return [
    { groups: [group], resources: plurals, verbs: ALL },
    { groups: [group], resources: plurals.map((each) => `${each}/finalizers`), verbs: ["update"] },
    { groups: [group], resources: plurals.map((each) => `${each}/status`), verbs: ["get", "patch", "update"] },
  ];
}

const KUSTOMIZATION = `namespace: boats
namePrefix: fleet-
resources:
- ../crd
- ../rbac
- ../manager
- ../webhook
- ../certmanager
- ../prometheus
- metrics_service.yaml
- ../network-policy
- extra.yaml
patches:
- path: manager_metrics_patch.yaml
  target:
    kind: Deployment
- path: manager_webhook_patch.yaml
  target:
    kind: Deployment
commonAnnotations:
  team: boats
`;

const BOILERPLATE = "/*\nCopyright 2026 The boatmen.\n*/\n";

/** One group; two versions of a kind, an odd plural, several controllers, paths of webhooks, kinds of others. */
export const SINGLE_GROUP: Readonly<Record<string, string>> = {
  PROJECT: `cliVersion: 4.9.0
domain: sea.io
future: yes-please
layout:
- go.kubebuilder.io/v4
plugins:
  grafana.kubebuilder.io/v1-alpha: {}
  acme.example/v1: {}
projectName: fleet
repo: example.com/boats/fleet
resources:
- api: {crdVersion: v1, namespaced: true}
  controllers:
  - name: captain
  - name: captain-backup
  domain: sea.io
  group: crew
  kind: Captain
  path: example.com/boats/fleet/api/v1
  version: v1
  webhooks: {conversion: true, defaulting: true, defaultingPath: /fill-in-captain, spoke: [v2], validation: true, webhookVersion: v1}
- api: {crdVersion: v1, namespaced: true}
  domain: sea.io
  group: crew
  kind: Captain
  path: example.com/boats/fleet/api/v2
  version: v2
- api: {crdVersion: v1, ssa: true}
  controller: true
  domain: sea.io
  group: crew
  kind: Admiral
  path: example.com/boats/fleet/api/v1
  plural: admirales
  version: v1
- controller: true
  domain: io
  external: true
  group: cert-manager
  kind: Issuer
  module: github.com/cert-manager/cert-manager@v1.20.2
  path: github.com/cert-manager/cert-manager/pkg/apis/certmanager/v1
  version: v1
- core: true
  group: core
  kind: Pod
  path: k8s.io/api/core/v1
  version: v1
  webhooks: {validation: true, webhookVersion: v1}
version: "3"
`,
  "config/crd/bases/crew.sea.io_captains.yaml": crd({
    group: "crew.sea.io",
    kind: "Captain",
    plural: "captains",
    versions: { v1: SIZE, v2: NAME },
  }),
  "config/crd/bases/crew.sea.io_admirales.yaml": crd({
    group: "crew.sea.io",
    kind: "Admiral",
    plural: "admirales",
    scope: "Cluster",
    versions: { v1: SIZE },
    required: "size",
  }),
  "config/rbac/role.yaml": role(
    [
      { groups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] },
      { groups: [""], resources: ["secrets"], resourceNames: ["tokens"], verbs: ["get"] },
      { groups: ["apps", "batch"], resources: ["*"], verbs: ["*"] },
      ...ownRules("cert-manager.io", ["issuers"]),
      ...ownRules("crew.sea.io", ["admirales", "captains"]),
    ],
    { extra: "- nonResourceURLs:\n  - /healthz\n  verbs:\n  - get\n" },
  ),
  "config/webhook/manifests.yaml":
    configuration("mutating", [
      webhook("mcaptain-v1.kb.io", {
        path: "/fill-in-captain",
        group: "crew.sea.io",
        resource: "captains",
        extra: "  matchPolicy: Exact\n  reinvocationPolicy: IfNeeded\n",
      }),
    ]) +
    configuration(
      "validating",
      [
        webhook("lost.kb.io", {
          path: "/validate-lost",
          group: "apps",
          resource: "deployments/scale",
          policy: "Ignore",
        }),
        webhook("vcaptain-v1.kb.io", {
          path: "/validate-crew-sea-io-v1-captain",
          group: "crew.sea.io",
          resource: "captains",
        }),
        webhook("vpod-v1.kb.io", {
          path: "/validate--v1-pod",
          group: "",
          resource: "pods",
          extra: '  namespaceSelector:\n    matchLabels:\n      guarded: "yes"\n',
        }),
      ],
      "harbour-police",
    ),
  "config/default/kustomization.yaml": KUSTOMIZATION,
  "config/default/extra.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: extra\n",
  "config/samples/crew_v1_captain.yaml":
    "apiVersion: crew.sea.io/v1\nkind: Captain\nmetadata:\n  name: hook\nspec:\n  size: 3\n",
  "hack/boilerplate.go.txt": BOILERPLATE,
  "go.mod": "module example.com/boats/fleet\n",
  "cmd/main.go": 'package main\n\nvar options = Options{\n\tLeaderElectionID: "0badcafe.sea.io",\n}\n',
  "api/v1/captain_types.go": "package v1\n",
  "api/v1/zz_generated.deepcopy.go": "package v1\n",
  "api/v1/captain_conversion.go": "package v1\n",
  "internal/controller/captain_controller.go": "package controller\n",
  "internal/controller/captain_controller_test.go": "package controller\n",
  "internal/controller/suite_test.go": "package controller\n",
  "internal/rope/knot.go": "package rope\n",
};

/** Several groups, two of which have a kind of the same name. */
export const MULTI_GROUP: Readonly<Record<string, string>> = {
  PROJECT: `domain: sea.io
layout: go.kubebuilder.io/v4
multigroup: true
projectName: harbour
repo: example.com/harbour
resources:
${["foo", "fiz"]
  .map(
    (group) => `- api: {crdVersion: v1, namespaced: true}
  controller: true
  domain: sea.io
  group: ${group}
  kind: Bar
  path: example.com/harbour/api/${group}/v1
  version: v1
`,
  )
  .join("")}- controller: true
  core: true
  group: apps
  kind: Deployment
  path: k8s.io/api/apps/v1
  version: v1
version: "3"
`,
  ...Object.fromEntries(
    ["foo", "fiz"].map((group) => [
      `config/crd/bases/${group}.sea.io_bars.yaml`,
      crd({ group: `${group}.sea.io`, kind: "Bar", plural: "bars", versions: { v1: SIZE } }),
    ]),
  ),
  "config/rbac/role.yaml": role([
    { groups: ["apps"], resources: ["deployments"], verbs: ALL },
    { groups: ["apps"], resources: ["deployments/finalizers"], verbs: ["update"] },
    { groups: ["apps"], resources: ["deployments/status"], verbs: ["get", "patch", "update"] },
    { groups: ["fiz.sea.io", "foo.sea.io"], resources: ["bars"], verbs: ALL },
    { groups: ["fiz.sea.io", "foo.sea.io"], resources: ["bars/finalizers"], verbs: ["update"] },
    { groups: ["fiz.sea.io", "foo.sea.io"], resources: ["bars/status"], verbs: ["get", "patch", "update"] },
  ]),
};

/** A manager that works in some namespaces only. */
export const NAMESPACED: Readonly<Record<string, string>> = {
  PROJECT: `domain: sea.io
layout:
- go.kubebuilder.io/v4
namespaced: true
projectName: jetty
repo: example.com/jetty
resources:
- api: {crdVersion: v1, namespaced: true}
  controller: true
  domain: sea.io
  group: crew
  kind: Sailor
  path: example.com/jetty/api/v1
  version: v1
version: "3"
`,
  "config/crd/bases/crew.sea.io_sailors.yaml": crd({
    group: "crew.sea.io",
    kind: "Sailor",
    plural: "sailors",
    versions: { v1: NAME },
  }),
  "config/rbac/role.yaml": role(ownRules("crew.sea.io", ["sailors"]), { namespace: "jetty-system" }),
};
