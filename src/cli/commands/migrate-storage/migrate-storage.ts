import { parseGoDuration } from "@kubescaffold/platform";

import type { Command } from "../../command/command.ts";
import { defineCommand } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { CLUSTER_FLAGS, clusterOf } from "../../flags/cluster-flags.ts";
import type { MigrateStorageOptions } from "./run-migrate-storage.ts";

/** `scaffold migrate-storage`: rewrites the objects of kinds, so that their CRDs can drop versions. */
export const migrateStorageCommand: Command = defineCommand({
  path: ["migrate-storage"],
  summary: "Rewrite stored objects, so that a CRD can drop a version",
  description: [
    "Rewrite all objects of kinds in the storage version of their CRDs, and then remove the other versions from status.storedVersions.",
    "Kinds are those of the project by default; a kind, its plural, or the name of its CRD selects others.",
    "Before it writes, the command waits for API servers to use the CRD, and fails if Pods of several revisions serve conversions.",
    "It can be interrupted and repeated. The exit status is 1 if a kind was not migrated.",
  ].join("\n"),
  usage: "[kind…]",
  examples: [
    "scaffold migrate-storage --dry-run",
    "scaffold migrate-storage --kubeconfig ~/.kube/config --context staging Guestbook",
    "scaffold migrate-storage guestbooks.webapp.example.com --output json",
  ],
  takesInputs: "topics",
  flags: [
    ...CLUSTER_FLAGS,
    { name: "writes-per-second", kind: "string", help: "largest number of writes per second", default: "50" },
    { name: "propagation", kind: "string", help: "time that API servers need to use a changed CRD", default: "30s" },
    { name: "dry-run", kind: "boolean", help: "count the objects without writing them", default: "false" },
    { name: "output", kind: "string", help: "output format", default: "text", values: ["text", "json"] },
  ],
  topics: async (word, folder) => {
    const { projectKinds } = await import("./select-definitions.ts");
    return projectKinds(folder)
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith(word));
  },
  parse: ({ propagation = "30s", ...flags }, { cwd }): MigrateStorageOptions => ({
    cluster: clusterOf(flags, cwd),
    rate: {
      writesPerSecond: rateOf(flags["writes-per-second"] ?? "50"),
      propagationMs: durationOf(propagation),
    },
  }),
  run: async (options, invocation) => {
    const { runMigrateStorage } = await import("./run-migrate-storage.ts");
    return runMigrateStorage(options, invocation);
  },
});

function rateOf(text: string): number {
  if (/^[1-9]\d{0,5}$/u.test(text)) return Number(text);
  throw new InvalidFlagError(`invalid value ${JSON.stringify(text)} for flag --writes-per-second: not a rate`, {
    hint: "pass a whole number from 1 to 999999",
  });
}

function durationOf(text: string): number {
  const durationMs = parseGoDuration(text);
  if (durationMs !== undefined) return durationMs;
  throw new InvalidFlagError(`invalid value ${JSON.stringify(text)} for flag --propagation: not a duration`, {
    hint: "pass a duration such as 30s or 1m30s",
  });
}
