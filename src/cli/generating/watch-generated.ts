import { createProcessCaches, type ProcessCaches } from "@kubescaffold/generators/runs";
import { handledLater } from "@kubescaffold/platform";

import type { FileAction } from "../../machinery/file-tree.ts";
import type { Invocation } from "../command/command.ts";
import { reportError } from "../output/report-error.ts";
import { interruption } from "./interruption.ts";
import { watchSources } from "./watch-sources.ts";

/** What is done again and again. */
export interface RepeatedGeneration {
  /** The folders that sources are read from, relative to the working folder or absolute. */
  readonly folders: readonly string[];
  /** Generates once, with what former runs kept, and returns what it changed. */
  readonly generate: (caches: ProcessCaches) => Promise<readonly FileAction[]>;
}

/**
 * Generates now, and again on each change of a source, until the process is asked to end.
 *
 * An error is shown and waits for the next change.
 */
export async function watchGenerated(invocation: Invocation, { folders, generate }: RepeatedGeneration): Promise<void> {
  const caches = createProcessCaches();
  const interrupted = handledLater(interruption());
  const run = async (): Promise<void> => {
    const start = performance.now();
    try {
      report(invocation, await generate(caches), performance.now() - start);
    } catch (error) {
      // Nobody knows how much of it was written.
      caches.written.clear();
      reportError(error, { terminal: invocation.terminal, asJson: false, program: invocation.program });
    }
  };
  const watch = watchSources(invocation.cwd, folders);
  await watch.ready;
  await run();
  watch.begin(run);
  invocation.terminal.writeError("watching for changes; press Ctrl-C to stop\n");
  await interrupted;
  await watch.close();
}

const VERBS = [
  ["create", "created"],
  ["overwrite", "changed"],
  ["delete", "deleted"],
] as const;

function report({ terminal }: Invocation, actions: readonly FileAction[], elapsedMs: number): void {
  const counts = VERBS.map(([kind, verb]) => [actions.filter((each) => each.kind === kind), verb] as const)
    .filter(([those]) => those.length > 0)
    .map(([those, verb]) => `${verb} ${those.length === 1 ? those[0]?.path : `${those.length} files`}`);
  const what = counts.length === 0 ? "nothing changed" : counts.join(", ");
  terminal.writeOut(`${what} (${elapsedMs.toFixed(0)} ms)\n`);
}
