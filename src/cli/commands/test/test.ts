import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import type { TestOptions } from "./run-test.ts";

// All other words are those of Vitest.
const TEST_FLAGS = [
  {
    name: "kubernetes",
    kind: "string",
    help: "minor versions of Kubernetes, separated by commas, such as 1.36,1.37",
  },
  { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
] as const;

/** `scaffold test`: the tests of the project, on one version of Kubernetes or several. */
export const testCommand: Command = defineCommand({
  path: ["test"],
  summary: "Run the tests, on one or several versions of Kubernetes",
  description: [
    "Run the tests with Vitest. With --kubernetes, run them once on each version, with the embedded API server of that version, and print a table of the results.",
    "Without it, they run on the version of KUBESCAFFOLD_KUBERNETES_VERSION, or else on that of the project. Other arguments are passed to Vitest.",
    "The exit status is 1 if a test fails on a version. `npm test` generates the manifests first.",
  ].join("\n"),
  usage: "[flags] [Vitest arguments]",
  examples: [
    "scaffold test",
    "scaffold test --kubernetes 1.34,1.35,1.36,1.37",
    "scaffold test --kubernetes 1.36,1.37 internal/controller -t finalizer",
    "npm test -- --kubernetes 1.36,1.37",
  ],
  flags: TEST_FLAGS,
  takesWords: true,
  // Its flags are among the words of Vitest.
  parse: async (_flags, { words, terminal }): Promise<TestOptions> => {
    const { splitWords } = await import("../../flags/split-words.ts");
    const { readTestOptions } = await import("./run-test.ts");
    return readTestOptions(splitWords(TEST_FLAGS, words), terminal);
  },
  run: async (options, invocation) => {
    const { runTest } = await import("./run-test.ts");
    return runTest(options, invocation);
  },
});
