/** Projects with the faults that former versions of the commands, or the tools of their users, left: each has a finding with its place, its cause, and its fix. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const LIVENESS_MS = 120_000;

const TYPES = "api/v1/guestbook_types.ts";
const CONTROLLER = "internal/controller/guestbook_controller.ts";
const CRDS = "config/crd/kustomization.yaml";
const ROLE_MARKER = "  // +kubebuilder:rbac:groups=webapp.demo,resources=guestbooks,verbs=";

interface Finding {
  readonly severity: string;
  readonly path: string;
  readonly line?: number;
  readonly message: string;
  readonly hint: string;
}

/** A project with a fault, and a part of the error that doctor prints for it. */
interface Fault {
  readonly commands?: readonly string[];
  readonly edits: Readonly<Record<string, readonly (readonly [from: RegExp | string, to: string])[]>>;
  /** Commands that the user runs with the fault in the project. */
  readonly afterwards?: readonly string[];
  readonly finds: readonly (Pick<Finding, "path" | "message"> & {
    readonly hint: RegExp;
    readonly isPlaced?: boolean;
  })[];
}

const PLURAL = `${CREATE_API.replace("--kind Guestbook", "--kind RDS")} --plural rds`;

const OTHER_KIND = `import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";

export interface Ref {
  other: string;
}

// +kubebuilder:object:root=true
export interface Other extends NamespacedObject {
  ref?: Ref;
}
`;

const FAULTS: Readonly<Record<string, Fault>> = {
  "a plural that the CRD does not have": {
    commands: [INIT, PLURAL],
    edits: { "api/v1/rds_types.ts": [[/^.*\+kubebuilder:resource:path=rds.*\n/mu, ""]] },
    finds: [
      {
        path: "PROJECT",
        message: "the plural of RDS of webapp.demo is rds in PROJECT, and rdses in its CRD",
        hint: /\+kubebuilder:resource:path=rds above the type, or set plural: rdses/u,
      },
      {
        path: "internal/controller/rds_controller.ts",
        message: "it names rds of webapp.demo, which no CRD of the project defines",
        hint: /^use one of rdses, and run npm run manifests$/u,
        isPlaced: true,
      },
    ],
  },
  "a CRD that is installed by the name of another plural": {
    edits: { [CRDS]: [["webapp.demo_guestbooks.yaml", "webapp.demo_visitorbooks.yaml"]] },
    finds: [
      {
        path: CRDS,
        message: "config/default cannot be built: it refers to bases/webapp.demo_visitorbooks.yaml: no such file",
        hint: /kubectl kustomize config\/default/u,
      },
    ],
  },
  "Roles of several namespaces with one name": {
    edits: {
      [CONTROLLER]: [
        [
          /^ *\/\/ \+kubebuilder:rbac/mu,
          ["team-a", "team-b"]
            .map((team) => `${ROLE_MARKER.replace("groups", `namespace=${team},groups`)}get\n`)
            .join("")
            .concat("  // +kubebuilder:rbac"),
        ],
      ],
    },
    afterwards: ["manifests"],
    finds: [
      {
        path: "config/default/kustomization.yaml",
        message: "config/default cannot be built: ",
        hint: /their own roleName .*docs\/guides\/several-namespaces\.md/u,
      },
    ],
  },
  "a Role of another namespace that kustomize moves": {
    edits: {
      [CONTROLLER]: [
        [
          /^ *\/\/ \+kubebuilder:rbac/mu,
          `${ROLE_MARKER.replace("groups", "namespace=team-a,roleName=manager-role-team-a,groups")}get\n  // +kubebuilder:rbac`,
        ],
      ],
    },
    afterwards: ["manifests"],
    finds: [
      {
        path: "config/rbac/role.yaml",
        message: "the Role manager-role-team-a of namespace team-a is moved to guestbook-system",
        hint: /transformer .*docs\/guides\/several-namespaces\.md/u,
      },
    ],
  },
  "a Role without a RoleBinding in its namespace": {
    edits: {
      [CONTROLLER]: [
        [
          /^ *\/\/ \+kubebuilder:rbac/mu,
          `${ROLE_MARKER.replace("groups", "namespace=guestbook-system,roleName=own,groups")}get\n  // +kubebuilder:rbac`,
        ],
      ],
    },
    afterwards: ["manifests"],
    finds: [
      {
        path: "config/rbac/role.yaml",
        message: "the Role own has no RoleBinding in namespace guestbook-system",
        hint: /^add one to config\/rbac/u,
      },
    ],
  },
  "YAML that a formatter indented, with a line of a former version": {
    edits: {
      [CRDS]: [["- bases/webapp.demo_guestbooks.yaml", "  - bases/webapp.demo_guestbooks.yaml\n- bases/other.yaml"]],
    },
    finds: [
      { path: CRDS, message: "it is not valid YAML: ", hint: /restore it from version control/u, isPlaced: true },
    ],
  },
  "JSON with the lines of two versions": {
    edits: { "tsconfig.json": [["{", "{ {"]] },
    finds: [{ path: "tsconfig.json", message: "it is not valid JSON: ", hint: /restore it/u, isPlaced: true }],
  },
  "two types of one name in the files of a package": {
    edits: {
      [TYPES]: [
        [
          /^export interface GuestbookSpec \{/mu,
          "export interface Ref {\n  name: string;\n}\n\nexport interface GuestbookSpec {\n  a?: Ref;",
        ],
      ],
      "api/v1/other_types.ts": [[/^/u, OTHER_KIND]],
    },
    finds: [
      { path: "api/v1/other_types.ts", message: "cannot generate: ", hint: /rename one of the types/u, isPlaced: true },
    ],
  },
  "a type that is no kind although it is declared as one": {
    edits: { [TYPES]: [["extends NamespacedObject", "extends GuestbookStatus"]] },
    finds: [{ path: TYPES, message: "cannot generate: ", hint: /KubernetesObject/u, isPlaced: true }],
  },
  "a kind of PROJECT that the sources do not declare": {
    edits: {
      [TYPES]: [
        [/^.*\+kubebuilder:object:root=true\n/mu, ""],
        ["extends NamespacedObject", "extends GuestbookStatus"],
        [/^export const Guestbook: .*$/mu, ""],
      ],
    },
    finds: [
      {
        path: TYPES,
        message: "PROJECT records Guestbook of webapp.demo/v1, but the sources define no such kind",
        hint: /\+kubebuilder:object:root=true above the type/u,
      },
    ],
  },
  "a map whose keys no schema can limit": {
    edits: {
      [TYPES]: [
        [
          /^export interface GuestbookSpec \{/mu,
          "export interface GuestbookSpec {\n  a?: Record<`x-${string}`, string>;",
        ],
      ],
    },
    finds: [{ path: TYPES, message: "cannot generate: ", hint: /./u, isPlaced: true }],
  },
  "an indexed access to several properties": {
    edits: {
      [TYPES]: [
        [
          /^export interface GuestbookSpec \{/mu,
          'interface Parts {\n  text?: string;\n  list?: string[];\n}\n\nexport interface GuestbookSpec {\n  a?: Parts["text" | "list"];',
        ],
      ],
    },
    finds: [
      {
        path: TYPES,
        message: "cannot generate: ",
        hint: /^declare the type of the property or of the items with a name/u,
        isPlaced: true,
      },
    ],
  },
  "an indexed access to the elements of a type that has none": {
    edits: {
      [TYPES]: [
        [
          /^export interface GuestbookSpec \{/mu,
          'interface Parts {\n  text?: string;\n}\n\nexport interface GuestbookSpec {\n  a?: Parts["text"][number];',
        ],
      ],
    },
    finds: [
      {
        path: TYPES,
        message: "cannot generate: ",
        hint: /^declare the type of the property or of the items with a name/u,
        isPlaced: true,
      },
    ],
  },
  "a union of types that no schema describes": {
    edits: {
      [TYPES]: [[/^export interface GuestbookSpec \{/mu, "export interface GuestbookSpec {\n  a?: string | string[];"]],
    },
    finds: [{ path: TYPES, message: "cannot generate: ", hint: /^use a union of literals/u, isPlaced: true }],
  },
  "a type of a module that cannot be found": {
    edits: {
      [TYPES]: [
        [/^import /mu, 'import type { Engine } from "@fleet/engines";\nimport '],
        [/^export interface GuestbookSpec \{/mu, "export interface GuestbookSpec {\n  engine?: Engine;"],
      ],
    },
    finds: [{ path: TYPES, message: "cannot generate: ", hint: /import the type/u, isPlaced: true }],
  },
  "an identifier that starts with a digit": {
    edits: {
      "cmd/main.ts": [
        ["import { GuestbookReconciler }", "import { GuestbookReconciler as 3scaleGuestbookReconciler }"],
      ],
    },
    finds: [{ path: "cmd/main.ts", message: "it is not valid TypeScript: ", hint: /./u, isPlaced: true }],
  },
  "a bound that a server cannot read": {
    edits: {
      [TYPES]: [
        [
          /^export interface GuestbookSpec \{/mu,
          "export interface GuestbookSpec {\n  // +kubebuilder:validation:Maximum=9223372036854775807\n  size?: int64;",
        ],
        [/^import /mu, 'import type { int64 } from "@kubescaffold/k8s";\nimport '],
      ],
    },
    finds: [{ path: TYPES, message: "cannot generate: ", hint: /./u, isPlaced: true }],
  },
  "an enum of numbers on a string": {
    edits: {
      [TYPES]: [
        [
          /^export interface GuestbookSpec \{/mu,
          "export interface GuestbookSpec {\n  // +kubebuilder:validation:Enum=1.30;1.31\n  release?: string;",
        ],
      ],
    },
    finds: [{ path: TYPES, message: "cannot generate: ", hint: /"1\.30"/u, isPlaced: true }],
  },
  "a kind of Kubernetes that is recorded as one of the project": {
    commands: [INIT, "create webhook --group apps --version v1 --kind Deployment --defaulting --make=false"],
    edits: { PROJECT: [[/^- core: true\n/mu, "- api:\n    crdVersion: v1\n    namespaced: true\n  core: true\n"]] },
    finds: [
      {
        path: "PROJECT",
        message:
          "Deployment of apps/v1 is recorded as a kind of Kubernetes (core) and as one with types of the project (api)",
        hint: /^remove api from the entry/u,
      },
    ],
  },
};

const HEALTHY: Readonly<Record<string, readonly string[]>> = {
  "an API with webhooks": [INIT, CREATE_API, CREATE_WEBHOOK],
  "a given plural": [INIT, PLURAL],
  "a manager of one namespace": [INIT.concat(" --namespaced"), CREATE_API],
  "several groups": [
    INIT,
    "edit --multigroup",
    CREATE_API,
    CREATE_API.replace("--group webapp", "--group 3scale"),
    "create webhook --group apps --version v1 --kind Deployment --defaulting --make=false",
    "create api --group apps --version v1 --kind Deployment --resource --controller=false --make=false",
  ],
};

async function findingsOf(root: string): Promise<readonly Finding[]> {
  const { stdout } = await runCommand(root, "doctor --output json");
  return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
}

async function projectOf(commands: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, ...commands, "manifests", "generate");
  return root;
}

async function healthOf(root: string): Promise<{ readonly findings: readonly Finding[]; readonly status: number }> {
  // What is installed on this machine is not about the project.
  const findings = (await findingsOf(root)).filter(({ path: file }) => file !== "" && file !== "node_modules");
  return { findings, status: (await runCommand(root, "doctor")).status };
}

function edit(root: string, file: string, [from, to]: readonly [from: RegExp | string, to: string]): void {
  const target = path.join(root, file);
  const text = file === "api/v1/other_types.ts" ? "" : readFileSync(target, "utf8");
  const changed = text.replace(from, () => to);
  expect(changed, `the edit of ${file}`).not.toBe(text);
  writeFileSync(target, changed);
}

describe("doctor in a project with a fault", { timeout: LIVENESS_MS }, () => {
  it.each(Object.entries(FAULTS))("finds %s", async (_, { commands, edits, afterwards = [], finds }) => {
    const root = await projectOf(commands ?? [INIT, CREATE_API]);
    for (const [file, changes] of Object.entries(edits)) for (const change of changes) edit(root, file, change);
    if (afterwards.length > 0) await runCommands(root, ...afterwards);
    const errors = (await findingsOf(root)).filter(({ severity }) => severity === "error");
    for (const { path: file, message, hint, isPlaced = false } of finds) {
      const found = errors.find((each) => each.path === file && each.message.startsWith(message));
      expect(found ?? errors).toMatchObject({ hint: expect.stringMatching(hint) });
      expect(!isPlaced || (found?.line ?? 0) > 0, `the line of ${message}`).toBe(true);
    }
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 1 });
  });
});

const HEALTH = { findings: [], status: 0 };

describe("doctor in a project without faults", { timeout: LIVENESS_MS }, () => {
  it.each(Object.entries(HEALTHY))("finds nothing in %s", async (_, commands) => {
    expect(await healthOf(await projectOf(commands))).toEqual(HEALTH);
  });

  it("finds nothing where the manager, with its Role, is moved to another namespace", async () => {
    const root = await projectOf([INIT.concat(" --namespaced"), CREATE_API]);
    edit(root, "config/default/kustomization.yaml", ["namespace: guestbook-system", "namespace: production"]);
    expect(await healthOf(root)).toEqual(HEALTH);
  });

  it("finds nothing in a kustomization with fields and resources that only kubectl reads", async () => {
    const root = await projectOf([INIT, CREATE_API]);
    const file = "config/default/kustomization.yaml";
    edit(root, file, [/^resources:\n/mu, "resources:\n- https://example.com/crds.yaml\n"]);
    expect(await healthOf(root)).toEqual(HEALTH);
    edit(root, file, ["- https://example.com/crds.yaml\n", ""]);
    edit(root, file, [/^/u, "secretGenerator: [{ name: a, literals: [b=c] }]\n"]);
    expect(await healthOf(root)).toEqual(HEALTH);
  });
});
