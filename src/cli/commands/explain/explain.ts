import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";

/** `scaffold explain`: error codes, markers, and fields. */
export const explainCommand: Command = defineCommand({
  path: ["explain"],
  summary: "Explain an error code, a marker, or a field of a kind",
  description: [
    "Explain an error code, a marker, or a field. Kinds are those of the project, from the CRDs in config/crd/bases, and the built-in kinds of Kubernetes.",
    "A field is the path from the kind: guestbook.spec.size. Lists and maps need no index.",
    "Fields of built-in kinds have descriptions after `scaffold k8s-docs`.",
  ].join("\n"),
  usage: "<code | marker | kind[.field]>",
  examples: [
    "scaffold explain PROJECT_NOT_FOUND",
    "scaffold explain +kubebuilder:validation:Pattern",
    "scaffold explain deployment.spec.template.spec.containers",
  ],
  flags: [{ name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] }],
  takesInputs: "topics",
  topics: async (word, folder) => {
    const { topicsFor } = await import("./run-explain.ts");
    return topicsFor(word, folder);
  },
  parse: () => undefined,
  run: async (_options, invocation) => {
    const { runExplain } = await import("./run-explain.ts");
    return runExplain(invocation);
  },
});
