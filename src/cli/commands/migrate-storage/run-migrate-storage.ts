import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";
import type { MigrationResult } from "@kubescaffold/runtime";

import { connect } from "../../cluster/connect.ts";
import { type MigrationRate, migrateCrd } from "../../cluster/migrate-crd.ts";
import type { Invocation } from "../../command/command.ts";
import type { SelectedCluster } from "../../flags/cluster-flags.ts";
import { interruption } from "../../generating/interruption.ts";
import { alignColumns } from "../../output/align-columns.ts";
import { projectKinds, selectDefinitions } from "./select-definitions.ts";

/** The cluster, and how fast its objects are rewritten. */
export interface MigrateStorageOptions {
  readonly cluster: SelectedCluster;
  readonly rate: MigrationRate;
}

/** The outcome of a migration, with the name of its CRD. */
interface DefinitionResult extends MigrationResult {
  readonly crd: string;
}

/** Migrates the kinds that the command line names. Fails: `InputError` for unknown kinds, or with an error of the API server. */
export async function runMigrateStorage(options: MigrateStorageOptions, invocation: Invocation): Promise<number> {
  return await migrateKinds(options, invocation, { words: invocation.words });
}

/** The kinds to migrate, and what JSON says beside the outcome. */
interface MigratedKinds {
  readonly words: readonly string[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Migrates kinds and prints the outcome; returns the exit status. Fails: as {@link runMigrateStorage}. */
export async function migrateKinds(
  { cluster, rate }: MigrateStorageOptions,
  invocation: Invocation,
  { words, details = {} }: MigratedKinds,
): Promise<number> {
  const client = await connect(cluster);
  const { items } = await client.list(CustomResourceDefinition);
  const crds = selectDefinitions(items, words, projectKinds(invocation.cwd));
  const ending = new AbortController();
  void interruption().then(() => ending.abort(new Error("interrupted; run the command again to continue")));
  const results: DefinitionResult[] = [];
  try {
    for (const crd of crds) {
      const { isDryRun } = invocation;
      const result = await migrateCrd({ client, crd, rate, isDryRun, signal: ending.signal });
      results.push({ ...result, crd });
    }
  } finally {
    // What was done before a failure is printed, too.
    print(results, invocation, details);
  }
  return results.every(({ outcome }) => outcome !== "waiting" && outcome !== "refused") ? 0 : 1;
}

function print(
  results: readonly DefinitionResult[],
  { terminal, printsJson, isDryRun }: Invocation,
  details: MigratedKinds["details"],
): void {
  if (printsJson) {
    terminal.writeOut(
      `${JSON.stringify({ dryRun: isDryRun, definitions: results.map(factsOf), ...details }, undefined, 2)}\n`,
    );
    return;
  }
  if (results.length === 0) return;
  const lines = alignColumns([HEADERS, ...results.map(rowOf)], "  ");
  terminal.writeOut(`${lines.join("\n")}\n`);
  for (const { crd, reason, counts } of results) {
    if (reason !== "") terminal.writeError(`${crd}: ${reason}\n`);
    for (const { object, reason: refusal } of counts.refused) terminal.writeError(`${crd}: ${object}: ${refusal}\n`);
  }
}

const HEADERS = ["CRD", "STORED", "STORAGE", "OBJECTS", "REWRITTEN", "BY OTHERS", "FIELDS MOVED", "REFUSED", "RESULT"];

function rowOf({ crd, state, counts, outcome }: DefinitionResult): readonly string[] {
  const { listed, rewritten, writtenByOthers, fieldsMoved, refused } = counts;
  const numbers = [listed, rewritten, writtenByOthers, fieldsMoved, refused.length].map(String);
  return [crd, state?.storedVersions.join(",") ?? "", state?.storageVersion ?? "", ...numbers, OUTCOMES[outcome]];
}

const OUTCOMES: Readonly<Record<MigrationResult["outcome"], string>> = {
  current: "nothing to do",
  migrated: "migrated",
  planned: "to be migrated",
  waiting: "not migrated",
  refused: "not migrated",
};

function factsOf({ crd, state, counts, outcome, reason }: DefinitionResult): object {
  const { storedVersions = [], storageVersion = "", servedVersions = [], unservedVersions = [] } = state ?? {};
  return { crd, outcome, reason, storageVersion, storedVersions, servedVersions, unservedVersions, objects: counts };
}
