import path from "node:path";

import { isExplained } from "@kubescaffold/generators/diagnostics";
import { messageOf } from "@kubescaffold/k8s";

import { fileFailure } from "../../../machinery/disk-failure.ts";
import type { Invocation } from "../../command/command.ts";
import { planGenerated } from "../../generating/generate-manifests.ts";
import { allArguments } from "../../generating/project-arguments.ts";
import { withCall } from "../../output/report-outcome.ts";
import { shownPath } from "../../session/project-folder.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";
import { type AddedPermission, addPermissions } from "./add-permissions.ts";
import type { DevFailure, DevReporter } from "./dev-event.ts";
import type { DevOptions } from "./dev-options.ts";
import type { ManagerProcess } from "./manager-process.ts";
import type { MissingPermission } from "./missing-permission.ts";

/** One run of the command. */
export interface DevRun {
  /** With a terminal whose lines are events. */
  readonly invocation: Invocation;
  readonly options: DevOptions;
  readonly reporter: DevReporter;
}

/** A cluster that the manifests are installed in again. */
interface UpdatedCluster {
  update(): Promise<void>;
}

/** A manager that runs against a cluster, and what is done with both, one step at a time. */
export class DevSession {
  readonly #run: DevRun;
  readonly #cluster: UpdatedCluster;
  readonly #manager: ManagerProcess;
  #last: Promise<unknown> = Promise.resolve();
  #isEnding = false;

  constructor(run: DevRun, cluster: UpdatedCluster, manager: ManagerProcess) {
    this.#run = run;
    this.#cluster = cluster;
    this.#manager = manager;
  }

  /** Generates and installs the manifests of changed sources, and restarts the manager. After an error, the manager that runs goes on running. */
  async renew(files: readonly string[]): Promise<void> {
    const { invocation, reporter } = this.#run;
    await this.#inTurn(async () => {
      const changed = files.map((file) => path.relative(invocation.cwd, file).replaceAll(path.sep, "/"));
      reporter.report({ event: "sources-changed", files: changed });
      await writeManifests(this.#run);
      const start = performance.now();
      await this.#cluster.update();
      reporter.report({ event: "manifests-applied", durationMs: elapsedSince(start) });
      await this.#manager.restart();
    });
  }

  /** Restarts the manager. */
  async restart(): Promise<void> {
    await this.#inTurn(async () => await this.#manager.restart());
  }

  /** Adds the markers of missing permissions to the sources; without a watch, also installs the manifests and restarts the manager. */
  async addPermissions(missing: readonly MissingPermission[]): Promise<readonly AddedPermission[]> {
    const { invocation, options } = this.#run;
    const added = await this.#inTurn(async () => await addPermissions(invocation, missing, options.generatorOptions));
    const changed = (added ?? []).flatMap((each) => each.path ?? []);
    if (changed.length > 0 && !options.watches) {
      await this.renew([...new Set(changed)].map((file) => path.join(invocation.cwd, file)));
    }
    return added ?? [];
  }

  /** Waits for the step that is under way; those that have not started do not start any more. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#last;
  }

  async #inTurn<T>(step: () => Promise<T>): Promise<T | undefined> {
    const turn = this.#last.then(async () => {
      if (this.#isEnding) return undefined;
      try {
        return await step();
      } catch (error) {
        this.#run.reporter.report(failureOf(error, this.#run.invocation));
        return undefined;
      }
    });
    this.#last = turn;
    return await turn;
  }
}

/** Generates the manifests of a project and writes those that differ. Fails: `GenerateFailedError` after the findings were reported. */
export async function writeManifests({ invocation, options, reporter }: DevRun): Promise<void> {
  const start = performance.now();
  const shown = (file: string): string => (options.output === "json" ? file : shownPath(invocation, file));
  await withProjectSession(invocation, { isDryRun: false }, async (session) => {
    loadProject(session);
    const { root, tree } = session;
    await planGenerated(invocation, {
      root,
      tree,
      args: allArguments(tree, options.generatorOptions),
      report: (diagnostics) =>
        reporter.report({
          event: "diagnostics",
          source: "generators",
          diagnostics: diagnostics.map((each) => (each.file === "" ? each : { ...each, file: shown(each.file) })),
        }),
    });
    const actions = tree.actions();
    await session.commit(actions);
    const files = actions.map((action) => action.path);
    reporter.report({ event: "manifests-generated", files, durationMs: elapsedSince(start) });
  });
}

function elapsedSince(start: number): number {
  return Math.round(performance.now() - start);
}

/** Returns the event of an error. */
export function failureOf(thrown: unknown, { program }: Pick<Invocation, "program">): DevFailure {
  const error = fileFailure(thrown);
  if (!isExplained(error)) {
    return {
      event: "error",
      message: error instanceof Error ? (error.stack ?? error.message) : messageOf(error),
      hint: "report it with the command and the lines above",
    };
  }
  const { code, hint } = error;
  return {
    event: "error",
    code,
    message: withCall(error.message, program),
    ...(hint === undefined ? {} : { hint: withCall(hint, program) }),
  };
}
