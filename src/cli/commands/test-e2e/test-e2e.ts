import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { CLUSTER_FLAGS, clusterOptions, KIND_FLAG, kindOf } from "./kind.ts";
import type { TestE2eOptions } from "./run-test-e2e.ts";

/** `scaffold test-e2e`: the end-to-end tests in their own cluster. */
export const testE2eCommand: Command = defineCommand({
  path: ["test-e2e"],
  summary: "Run the end-to-end tests in a kind cluster",
  description: [
    "Create a kind cluster unless it exists, run the tests in test/e2e, and delete the cluster, even if tests fail. The tests use only this",
    "cluster, regardless of the current kubeconfig. Other arguments are passed to Vitest.",
  ].join("\n"),
  usage: "[flags] [Vitest arguments]",
  examples: ["scaffold test-e2e", "scaffold test-e2e --cluster mine -t metrics"],
  flags: CLUSTER_FLAGS,
  takesWords: true,
  // Its flags are among the words of Vitest.
  parse: async (_flags, { words, cwd }): Promise<TestE2eOptions> => {
    const { splitWords } = await import("../../flags/split-words.ts");
    const { flags, words: others } = splitWords(CLUSTER_FLAGS, words);
    return { ...clusterOptions(flags, cwd), words: others };
  },
  run: async (options, invocation) => {
    const { runTestE2e } = await import("./run-test-e2e.ts");
    return runTestE2e(options, invocation);
  },
});

/** `scaffold setup-test-e2e`: the cluster of the end-to-end tests. */
export const setupTestE2eCommand: Command = defineCommand({
  path: ["setup-test-e2e"],
  summary: "Create the kind cluster for the end-to-end tests",
  description: "Create the kind cluster for the end-to-end tests, unless it exists.",
  flags: CLUSTER_FLAGS,
  parse: (flags, { cwd }) => clusterOptions(flags, cwd),
  run: async (options, invocation) => {
    const { runSetup } = await import("./run-test-e2e.ts");
    return runSetup(options, invocation);
  },
});

/** `scaffold cleanup-test-e2e`: deletes the cluster of the end-to-end tests. */
export const cleanupTestE2eCommand: Command = defineCommand({
  path: ["cleanup-test-e2e"],
  summary: "Delete the kind cluster for the end-to-end tests",
  flags: CLUSTER_FLAGS,
  parse: (flags, { cwd }) => clusterOptions(flags, cwd),
  run: async (options, invocation) => {
    const { runCleanup } = await import("./run-test-e2e.ts");
    return runCleanup(options, invocation);
  },
});

/** `scaffold install-kind`: kind, into the project. */
export const installKindCommand: Command = defineCommand({
  path: ["install-kind"],
  summary: "Download kind to bin/ unless it is installed",
  description: [
    "Download a pinned version of kind to bin/ and verify its checksum, unless kind is installed.",
    "Set KIND_DOWNLOADS to use a mirror of kind's releases.",
  ].join("\n"),
  flags: [KIND_FLAG],
  parse: ({ kind }, { cwd }) => ({ kind: kindOf(kind, cwd) }),
  run: async (options, invocation) => {
    const { runInstallKind } = await import("./install-kind.ts");
    return runInstallKind(options, invocation);
  },
});
