import path from "node:path";

import type { KubernetesMinor } from "@kubescaffold/k8s";

import type { Invocation } from "../../command/command.ts";
import type { FlagsOf } from "../../command/define-command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { minorOf } from "../../flags/kubernetes-flag.ts";
import { durationOf, seedOf, variablesOf } from "../../flags/run-flags.ts";
import type { VERIFY_FLAGS } from "./verify-flags.ts";

/** The operator to verify, and how. */
export interface VerifyCommandOptions {
  /** The command of a black box, or in place of the project's manager. */
  readonly command: string | undefined;
  readonly crds: readonly string[];
  readonly samples: readonly string[];
  readonly objects: readonly string[];
  readonly roles: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly ready: string | undefined;
  readonly ignore: readonly string[];
  readonly timeMs: number;
  readonly settleMs: number;
  readonly seed: number;
  readonly kubernetes: KubernetesMinor | undefined;
  /** The folder of findings. */
  readonly findings: string;
  /** The file of known violations. */
  readonly baseline: string | undefined;
  /** Whether the run writes the baseline, and does not read it. */
  readonly updatesBaseline: boolean;
  /** The file of the report. */
  readonly report: string | undefined;
  /** The file of the finding to repeat. */
  readonly replay: string | undefined;
}

/** Reads the flags. Fails: {@link InvalidFlagError}. */
export function readVerifyOptions(
  flags: FlagsOf<typeof VERIFY_FLAGS>,
  { terminal, cwd }: Pick<Invocation, "terminal" | "cwd">,
): VerifyCommandOptions {
  const { command, crds, samples, objects, roles, time = "5m", settle = "20s", seed = "1" } = flags;
  const [missing] = [...(crds.length === 0 ? ["crds"] : []), ...(samples.length === 0 ? ["samples"] : [])];
  if (command !== undefined && crds.length > 0 !== samples.length > 0) {
    throw new InvalidFlagError(`cannot verify --command without --${missing ?? ""}`, {
      hint: "pass --crds and --samples, or neither of them in a project",
    });
  }
  if (command === undefined && crds.length > 0) {
    throw new InvalidFlagError("cannot use --crds without --command: the CRDs of a project are its own", {
      hint: "pass --command, or omit --crds",
    });
  }
  const updatesBaseline = flags["update-baseline"] === true;
  if (updatesBaseline && flags.baseline === undefined) {
    throw new InvalidFlagError("cannot use --update-baseline without --baseline", {
      hint: "pass --baseline with the file to write",
    });
  }
  const absolute = (file: string): string => path.resolve(cwd, file);
  return {
    command,
    crds: crds.map(absolute),
    samples: samples.map(absolute),
    objects: objects.map(absolute),
    roles: roles.map(absolute),
    env: variablesOf(flags.env),
    ready: flags.ready,
    ignore: flags.ignore,
    timeMs: durationOf(time, "time"),
    settleMs: durationOf(settle, "settle"),
    seed: seedOf(seed),
    kubernetes: flags.kubernetes === undefined ? undefined : minorOf(flags.kubernetes, terminal),
    findings: absolute(flags.findings ?? "findings"),
    baseline: flags.baseline === undefined ? undefined : absolute(flags.baseline),
    updatesBaseline,
    report: flags.report === undefined ? undefined : absolute(flags.report),
    replay: flags.replay === undefined ? undefined : absolute(flags.replay),
  };
}
