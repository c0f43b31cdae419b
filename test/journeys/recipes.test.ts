/** The shell commands of all pages: each is run here, with the packages as they are published, or by the test that the table names. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { printYaml } from "@kubescaffold/k8s/yaml";
import { createClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { buildKustomization } from "../../src/kustomize/build.ts";
import { listFiles, readSource } from "../architecture/source-files.ts";
import { stepsOf } from "../e2e/docs-code/tutorial-steps.ts";
import { PackedPackages, type PackedProject } from "./packed-project.ts";
import { onRealServer } from "./real-server.ts";

const LIVENESS_MS = 600_000;

/** What is typed in a project before a page, and the commands of the page that need more than the project. */
interface Recipe {
  readonly before: readonly string[];
  /** Commands that need a cluster, a registry, or a program that runs until it is interrupted. */
  readonly leftOut?: readonly LeftOut[];
  /** What is typed in place of a command. */
  readonly inPlaceOf?: Readonly<Record<string, string>>;
  /** The folder with the project, if it is not the one that the reader starts in. */
  readonly folder?: string;
  /** Each command is an alternative: each is run in its own project. */
  readonly areAlternatives?: boolean;
}

/** Commands that other tests run, with their own servers, or that cannot be run here. */
interface LeftOut {
  readonly commands: RegExp;
  /** The tests that have the words of these commands. */
  readonly tests?: readonly string[];
  /** Why there is no test. */
  readonly reason?: string;
}

const PUSHED = { commands: /^npm run image /u, tests: ["test/cli/commands/image/run-image.e2e.test.ts"] };

const GUESTBOOK = [
  "npx kubescaffold init --domain demo --project-name guestbook --skip-install",
  "npx scaffold create api --group webapp --version v1 --kind Guestbook --resource --controller",
];

// The least of cert-manager's definition.
function certificates(): string {
  return printYaml({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "certificates.cert-manager.io" },
    spec: {
      group: "cert-manager.io",
      names: { kind: "Certificate", listKind: "CertificateList", plural: "certificates", singular: "certificate" },
      scope: "Namespaced",
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                apiVersion: { type: "string" },
                kind: { type: "string" },
                metadata: { type: "object" },
                spec: { type: "object", properties: { secretName: { type: "string" } } },
              },
            },
          },
        },
      ],
    },
  });
}

const COMMITTED = [
  ...GUESTBOOK,
  "git init --quiet && git add --all && git -c user.name=a -c user.email=a@example.com commit --quiet --message first && git tag v1.4.0",
];

const RECIPES: Readonly<Record<string, Recipe>> = {
  "docs/guides/certificates.md": {
    before: [],
    inPlaceOf: {
      "npx scaffold init --domain my.domain --certificates self-managed":
        "npx kubescaffold init --domain my.domain --certificates self-managed --project-name guestbook --skip-install",
    },
    leftOut: [
      { commands: /^make deploy /u, tests: ["test/scenarios/deploy.test.ts", "test/e2e/generated-project.test.ts"] },
      { commands: /^CERTIFICATES_SECRET=/u, tests: ["test/scenarios/self-managed-development.test.ts"] },
    ],
  },
  "docs/guides/ci-recipes.md": {
    before: COMMITTED,
    leftOut: [
      PUSHED,
      { commands: /^npm ci$/u, reason: "needs the registry that the lock file names" },
      { commands: /^npm run (?:install-kind|test-e2e)$/u, reason: "needs Docker" },
      { commands: /^mkdir -p ~/u, reason: "writes the user's credentials" },
    ],
  },
  "docs/guides/debugging.md": {
    before: GUESTBOOK,
    leftOut: [
      { commands: /^npx scaffold dev/u, tests: ["test/e2e/dev-inspect.test.ts"] },
      { commands: /^npm run run /u, tests: ["packages/runtime/test/log/log-flags.test.ts"] },
      { commands: /^kubectl /u, tests: ["test/e2e/operator-pages.test.ts"] },
    ],
  },
  "docs/guides/external-types.md": {
    before: [...GUESTBOOK, `cat > certificates.yaml <<'END'\n${certificates()}\nEND`],
    inPlaceOf: {
      "kubectl get crd certificates.cert-manager.io -o yaml | npx scaffold import crd - --external":
        "cat certificates.yaml | npx scaffold import crd - --external",
    },
    leftOut: [{ commands: /@acme\//u, reason: "there is no package of this name" }],
  },
  "docs/guides/helm.md": {
    before: GUESTBOOK,
    leftOut: [
      PUSHED,
      {
        commands: /^(?:IMG=|npm run helm-status)/u,
        tests: ["plugins/helm/test/helm.test.ts", "test/scenarios/helm.test.ts"],
      },
    ],
  },
  "docs/guides/monorepos.md": {
    before: [`echo '{ "private": true, "workspaces": ["operators/*", "packages/*"] }' > package.json`],
    // The packages are those of the folder above, as they are for all projects here.
    inPlaceOf: {
      "cd ../.. && npm install": "cd ../..",
      "npx scaffold edit --multigroup": "cd operators/guestbook && npx scaffold edit --multigroup",
    },
    leftOut: [{ commands: PUSHED.commands, reason: "needs a registry; other recipes name the test that has one" }],
    folder: "operators/guestbook",
  },
  "docs/guides/testing-levels.md": { before: GUESTBOOK },
  "docs/guides/upgrading.md": {
    before: COMMITTED,
    leftOut: [
      { commands: /^npm install/u, reason: "needs the registry with a later version" },
      {
        commands: /^npx kubescaffold@latest /u,
        tests: ["test/cli/commands/alpha-update/alpha-update.e2e.test.ts", "test/packaging/first-hour.ts"],
      },
      { commands: /^git /u, reason: "looks at the branch of an update, and merges it" },
    ],
  },
  "docs/guides/webhooks-for-built-in-kinds.md": {
    before: GUESTBOOK,
    leftOut: [{ commands: /^kubectl /u, tests: ["test/e2e/operator-pages.test.ts"] }],
  },
  "docs/reference/changing-a-project.md": {
    before: [GUESTBOOK[0] ?? "", ...["v1", "v1alpha1"].map((version) => createApi(version))],
    areAlternatives: true,
  },
};

function createApi(version: string): string {
  return `npx scaffold create api --group webapp --version ${version} --kind Guestbook --resource --controller=${String(version === "v1")}`;
}

/** Modules that read a page, and type its commands. */
const FOLLOWED: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "concepts/conditions",
      "concepts/finalizers",
      "concepts/leader-election",
      "guides/metrics",
      "reference/observability",
    ].map((page) => [`docs/${page}.md`, "test/e2e/operator-pages.test.ts"]),
  ),
  "docs/guides/several-namespaces.md": "test/scenarios/several-namespaces.test.ts",
  "docs/start/quick-start.md": "test/e2e/quick-start-page.test.ts",
  "docs/start/tour.md": "test/packaging/tour.ts",
  ...Object.fromEntries(listFiles("docs/guides/languages").map((page) => [page, "test/e2e/docs-languages.test.ts"])),
  ...Object.fromEntries(listFiles("docs/tutorials").map((page) => [page, "test/journeys/tutorials.ts"])),
};

/** Tests that run the commands of other pages with their own servers, folders, and names: each command and each flag of a page is in one of its tests. */
const COVERED: Readonly<Record<string, readonly string[]>> = {
  "docs/guides/convergence.md": [
    "test/cli/commands/verify/verify-command.e2e.test.ts",
    "test/cli/commands/verify/verify.test.ts",
  ],
  "docs/guides/embedded-server.md": [
    "packages/envtest/test/kube-apiserver/cluster-flags.test.ts",
    "packages/envtest/test/stand-ins/program.test.ts",
    "test/cli/commands/apiserver/apiserver.test.ts",
    "test/e2e/go-envtest.test.ts",
  ],
  "docs/guides/image.md": [
    "test/cli/commands/image/run-image.e2e.test.ts",
    "test/cli/commands/image/sign-image.e2e.test.ts",
  ],
  "docs/guides/kubectl-plugins.md": [
    "test/cli/commands/kubectl-plugin/kubectl-plugin.test.ts",
    "test/e2e/kubectl-plugin.test.ts",
  ],
  "docs/guides/rehearsals.md": [
    "test/cli/commands/rehearse/rehearse-command.e2e.test.ts",
    "test/cli/commands/rehearse/rehearse.test.ts",
  ],
  "docs/migrate/import-project.md": [
    "test/cli/commands/import-project/run-import-project.test.ts",
    "test/go-project/import-layouts.test.ts",
  ],
  "docs/reference/dashboard.md": [
    "test/cli/commands/dashboard/dashboard.test.ts",
    "test/e2e/cluster-dashboard.test.ts",
  ],
  "docs/reference/dev.md": ["test/e2e/dev-inspect.test.ts", "test/e2e/dev-kubeconfig.test.ts", "test/e2e/dev.test.ts"],
  "docs/reference/k8s-docs.md": ["test/cli/commands/k8s-docs/k8s-docs.e2e.test.ts"],
  "docs/reference/storage-migration.md": [
    "test/cli/commands/delete/version-steps.e2e.test.ts",
    "test/cli/commands/migrate-storage/migrate-storage.test.ts",
  ],
  "docs/reference/test-server.md": [
    "packages/envtest/test/stand-ins/program.test.ts",
    "packages/envtest/test/setup-envtest/setup-envtest.test.ts",
    "test/e2e/go-envtest.test.ts",
  ],
  "docs/support/README.md": ["test/cli/commands/test/test.e2e.test.ts"],
};

/** Pages with commands that no test runs, and why. */
const NOT_RUN: Readonly<Record<string, string>> = {
  "docs/contribute/real-node.md": "needs containerd and a kubelet, and is what the tests on a node are run with",
  "docs/contribute/releasing.md": "publishes a release",
  "docs/guides/verify-a-release.md": "needs a published release",
  "docs/migrate/from-operator-sdk.md": "needs operator-sdk",
  "docs/reference/cli.md": "lists the commands, with examples of each",
  "docs/verification/generator-oracle.md": "needs Go",
  "docs/verification/import-corpus.md": "needs the checkouts of other projects",
  "docs/verification/runtime-under-faults.md": "takes long: the nightly workflow runs it",
};

const LINES = /^ *```(?:sh|bash|shell|console|zsh|terminal)\b/mu;

describe("the shell commands of the pages", { timeout: LIVENESS_MS }, () => {
  const packages = new PackedPackages();
  let installed: PackedProject;

  beforeAll(async () => {
    await packages.install();
    installed = await packages.installedProject();
  }, LIVENESS_MS);

  afterAll(() => packages.remove());

  it("are each run here, or by the test that the table names", () => {
    const pages = listFiles("docs").filter((file) => file.endsWith(".md") && LINES.test(readSource(file)));
    const named = [RECIPES, FOLLOWED, COVERED, NOT_RUN].flatMap((table) => Object.keys(table));
    expect(pages.filter((page) => !named.includes(page))).toEqual([]);
    expect(named.filter((page) => !pages.includes(page))).toEqual([]);
    expect(new Set(named).size).toBe(named.length);
    const guides = (page: string): boolean => /^docs\/(?:guides|start|tutorials)\//u.test(page);
    expect(Object.keys(NOT_RUN).filter(guides)).toEqual(["docs/guides/verify-a-release.md"]);
  });

  it.each(Object.entries(FOLLOWED))("of %s are read by a module", (page, module) => {
    const text = readSource(module);
    const isRead = text.includes(page) || text.includes(`${path.posix.dirname(page)}/\${`);
    expect(isRead, `${module} has to read ${page}`).toBe(true);
  });

  it.each(Object.entries(COVERED))("of %s have their words in its tests", (page, tests) => {
    const texts = tests.map((test) => readSource(test)).join("\n");
    const missing = commandsOf(page).flatMap((line) =>
      wordsIn(line)
        .filter((word) => !texts.includes(word))
        .map((word) => `${line}: ${word}`),
    );
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(RECIPES))(
    "of %s that are left out are in other tests, or have a reason",
    (page, { leftOut = [] }) => {
      for (const { commands, tests, reason } of leftOut) {
        const lines = commandsOf(page).filter((line) => commands.test(line));
        const texts = tests?.map((test) => readSource(test)).join("\n");
        const missing = lines.flatMap(wordsIn).filter((word) => texts?.includes(word) === false);
        const isExplained = tests !== undefined || reason !== undefined;
        expect({ commands, isTyped: lines.length > 0, isExplained, missing }).toEqual({
          commands,
          isTyped: true,
          isExplained: true,
          missing: [],
        });
      }
    },
  );

  it.each(Object.entries(RECIPES))("of %s lead to a project that is deployed", async (page, recipe) => {
    const { leftOut = [], inPlaceOf = {}, folder = "", areAlternatives = false } = recipe;
    const lines = commandsOf(page)
      .filter((line) => !leftOut.some(({ commands }) => commands.test(line)))
      .map((line) => inPlaceOf[line] ?? onRealServer(line) ?? line);
    expect(lines.length).toBeGreaterThan(0);
    for (const [index, group] of (areAlternatives ? lines.map((line) => [line]) : [lines]).entries()) {
      const project = packages.project(`${path.basename(page, ".md")}-${String(index)}`, installed);
      // One shell, as the reader's: a command that changes the folder does so for the next one.
      await project.succeed(["set -e -o pipefail", ...recipe.before, ...group].join("\n"));
      await project.succeed("npm run manifests && npm run generate && npm run vet", { folder });
      await expectDeployed(path.join(project.root, folder));
    }
  });
});

function commandsOf(page: string): readonly string[] {
  return stepsOf(readSource(page)).flatMap((step) => (step.kind === "command" && step.line !== "" ? [step.line] : []));
}

// Flags, and the names of commands and of other programs that decide what is run.
function wordsIn(line: string): readonly string[] {
  const words = line.split(/\s+/u).filter((word) => !/^(?:[A-Z_]+=.*|npx|npm|run|&&)$/u.test(word));
  const end = words.findIndex((word) => word.startsWith("-"));
  const names = words.slice(0, end === -1 ? words.length : end).filter((word) => /^[a-z][a-z0-9-]+$/u.test(word));
  const flags = words.flatMap((word) => /^--[a-z-]+/u.exec(word)?.[0] ?? []);
  return SETUP.has(names[0] ?? "") ? [] : [...names, ...flags];
}

// They make the surroundings of a command, or look at its output.
const SETUP = new Set(["cd", "jq", "kubectl", "make", "mkdir", "rm"]);

// Kinds of other projects, such as cert-manager's, are not installed.
const FOREIGN = /^(?:cert-manager\.io|monitoring\.coreos\.com)\//u;

async function expectDeployed(project: string): Promise<void> {
  const read = (file: string): string | undefined => {
    const full = path.join(project, file);
    return statSync(full, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(full, "utf8") : undefined;
  };
  const objects = buildKustomization(read, "config/default").filter(({ apiVersion }) => !FOREIGN.test(apiVersion));
  const cluster = createEmbeddedCluster();
  onTestFinished(() => cluster.close());
  const client = createClient(cluster.config);
  const order = ["Namespace", "CustomResourceDefinition"];
  for (const object of objects.toSorted((left, right) => order.indexOf(right.kind) - order.indexOf(left.kind)))
    await client.create(object);
  expect(objects.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["Deployment", "ClusterRole"]));
}
