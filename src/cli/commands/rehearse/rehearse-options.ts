import path from "node:path";

import type { KubernetesMinor } from "@kubescaffold/k8s";

import type { Invocation } from "../../command/command.ts";
import type { FlagsOf } from "../../command/define-command.ts";
import { minorOf } from "../../flags/kubernetes-flag.ts";
import { durationOf, seedOf, variablesOf } from "../../flags/run-flags.ts";
import type { REHEARSE_FLAGS } from "./rehearse-flags.ts";

/** The upgrade to rehearse, and how. */
export interface RehearseCommandOptions {
  /** A revision of git, or a folder. */
  readonly from: string;
  readonly samples: readonly string[];
  readonly objects: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ready: string | undefined;
  readonly accepted: readonly string[];
  readonly overlapMs: number;
  readonly settleMs: number;
  readonly seed: number;
  readonly kubernetes: KubernetesMinor | undefined;
  /** The file of the report. */
  readonly report: string | undefined;
}

/** Reads the flags. Fails: `InvalidFlagError`. */
export function readRehearseOptions(
  flags: FlagsOf<typeof REHEARSE_FLAGS>,
  { terminal, cwd, startedIn = cwd }: Pick<Invocation, "terminal" | "cwd" | "startedIn">,
): RehearseCommandOptions {
  const { from, samples, objects, overlap = "3s", settle = "20s", seed = "1" } = flags;
  const absolute = (file: string): string => path.resolve(cwd, file);
  return {
    from: isFolder(from) ? path.resolve(startedIn, from) : from,
    samples: samples.map(absolute),
    objects: objects.map(absolute),
    env: variablesOf(flags.env),
    ready: flags.ready,
    accepted: flags.accept,
    overlapMs: durationOf(overlap, "overlap"),
    settleMs: durationOf(settle, "settle"),
    seed: seedOf(seed),
    kubernetes: flags.kubernetes === undefined ? undefined : minorOf(flags.kubernetes, terminal),
    report: flags.report === undefined ? undefined : absolute(flags.report),
  };
}

/** Reports whether a former version is a folder: no revision of git starts with a dot or a slash. */
function isFolder(from: string): boolean {
  return path.isAbsolute(from) || /^\.{1,2}(?:$|[/\\])/u.test(from);
}
