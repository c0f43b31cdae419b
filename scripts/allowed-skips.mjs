/**
 * The tests that CI may skip: those whose file and name begin so, each with its reason. A test that is skipped and not listed fails CI.
 *
 * `without` names a tool: the entry holds only on machines that lack it.
 */
export const ALLOWED_SKIPS = [
  allow("test/cli/commands/completion/complete-words.test.ts", {
    name: "the script of completion is one that zsh reads",
    reason: "few machines have zsh; the script is compared as text",
  }),
  allow("test/cli/commands/completion/complete-words.test.ts", {
    name: "the script of completion is one that fish reads",
    reason: "few machines have fish; the script is compared as text",
  }),
  ...["python", "javascript", "rust", "java"].map((language) =>
    allow("test/e2e/other-clients.test.ts", {
      name: `the client of ${language}`,
      without: `client of ${language}`,
      reason: "the machine has no such language, cannot install its client, or compiles it on another day",
    }),
  ),
  ...["bun", "deno"].map((runtime) =>
    allow("test/e2e/other-runtimes.test.ts", {
      name: `an operator and the embedded server in ${runtime}`,
      without: `client of ${runtime}`,
      reason: "the machine cannot install it",
    }),
  ),
  ...["pnpm", "yarn", "bun"].map((manager) =>
    allow("test/journeys/package-managers.test.ts", {
      name: `a project of ${manager}`,
      without: `client of ${manager}`,
      reason: "the machine cannot install it",
    }),
  ),
  allow("packages/envtest/test/conformance/newest-minor.test.ts", {
    name: "rows that Kubernetes",
    reason:
      "runs on the real control plane, which is that of the recorded version, compare these rows with its answers",
  }),
  allow("test/e2e/setup-envtest.test.ts", {
    reason: "few machines let a user mount a small disk; the error of a full disk has a unit test",
  }),
  ...["python", "rust", "java"].map((language) =>
    allow("test/e2e/docs-languages.test.ts", {
      name: `the page for ${language}`,
      without: `client of ${language}`,
      reason: "its samples use the client, which is not installed",
    }),
  ),
  ...["go", "shell"].map((language) =>
    allow("test/e2e/docs-languages.test.ts", {
      name: `the page for ${language}`,
      without: "go",
      reason: "its samples are compiled with Go, or use kubectl, which is built with Go",
    }),
  ),
  allow("packages/runtime/test/leader-election/kills.test.ts", {
    reason: "`npm run kills` runs it, since each take-over waits for a lease to expire",
  }),
  ...[
    "packages/envtest/test/streams/client-go.e2e.test.ts",
    "packages/envtest/test/streams/copy.e2e.test.ts",
    "packages/envtest/test/streams/kubectl.e2e.test.ts",
    "packages/k8s/test/oracle/oracle.e2e.test.ts",
    "packages/runtime/test/webhook/authentication-on-server.test.ts",
    "packages/runtime/test/webhook/authorization-on-server.test.ts",
    "packages/runtime/test/webhook/scheduler-extender-on-server.test.ts",
    "plugins/helm/test/chart-values.e2e.test.ts",
    "packages/envtest/test/setup-envtest/setup-envtest.test.ts",
    "plugins/helm/test/rendered-chart.e2e.test.ts",
    "plugins/helm/test/upstream-charts.e2e.test.ts",
    "test/kustomize/build.e2e.test.ts",
    "plugins/kustomize/test/kustomize.test.ts",
    "test/e2e/checked-crds.test.ts",
    "test/e2e/described-crds.test.ts",
    "test/e2e/go-envtest.test.ts",
    "test/e2e/kubectl-table.test.ts",
    "test/e2e/kubectl-plugin.test.ts",
    "test/e2e/kubectl.test.ts",
    "test/e2e/multiversion.test.ts",
    "test/e2e/operator-pages.test.ts",
    "test/e2e/upstream-objects.test.ts",
    "test/plugin/external/external-plugin.e2e.test.ts",
    "test/scenarios/built-manifests.test.ts",
    "test/scenarios/helm.test.ts",
    "test/scenarios/self-managed-deployment.test.ts",
    "test/scenarios/self-managed-names.test.ts",
    "test/scenarios/several-namespaces.test.ts",
    "test/scripts/struct-fields.e2e.test.ts",
    "test/cli/commands/image/sign-image.e2e.test.ts",
  ].map((file) => allow(file, { without: "go", reason: "its program or server is built with Go" })),
  ...[
    "packages/dashboard/test/page/browser/accessibility.e2e.test.ts",
    "packages/dashboard/test/page/browser/cluster.e2e.test.ts",
    "packages/dashboard/test/page/browser/connection.e2e.test.ts",
    "packages/dashboard/test/page/browser/editor.e2e.test.ts",
    "packages/dashboard/test/page/browser/views.e2e.test.ts",
    "packages/dashboard/test/page/browser/widths.e2e.test.ts",
    "test/e2e/cluster-dashboard.test.ts",
    "test/e2e/dashboard-page.test.ts",
    "test/e2e/screenshots.test.ts",
  ].map((file) => allow(file, { without: "chromium", reason: "it runs the page in Chromium" })),
];

function allow(file, { name = "", without, reason }) {
  return { file, name, without, reason };
}
