import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { checkNumbers } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { handledLater } from "@kubescaffold/platform";
import { makeFolder } from "@kubescaffold/platform/files";

import { RehearseOptionsError } from "../failures/errors.ts";
import { readManifests } from "../install/manifests.ts";
import { violationKey } from "../oracles/oracles.ts";
import { JUDGED_ORACLES, type UpgradeViolation } from "../oracles/upgrade-record.ts";
import { InstalledVersion } from "./installed-version.ts";
import { OperatorTrace } from "./operator-trace.ts";
import { startRehearsalCluster } from "./rehearsal-cluster.ts";
import type { RehearsalReport } from "./rehearsal-report.ts";
import { Rehearsal, type RehearsalRecord } from "./rehearsal.ts";
import type { OperatorVersion, RehearseOptions } from "./rehearse-options.ts";
import { ServedObjects } from "./served-objects.ts";

const INTERRUPTED = "the run was interrupted";

/**
 * Rehearses the upgrade of an operator: installs the former version on an embedded cluster, with objects of a user, replaces it by the present one like a rolling
 * update, rolls back, upgrades again, and deletes everything.
 *
 * Fails: `RehearseOptionsError`, `NotAnOperatorError`, `ManifestPathMissingError`, and `YamlError` for the options and their files.
 *
 * @example
 * const { verdict, findings } = await rehearseUpgrade({ former: { project: "../v1", name: "v1" }, present: { project: ".", name: "v2" } });
 */
export async function rehearseUpgrade(options: RehearseOptions): Promise<RehearsalReport> {
  checkNumbers("the rehearsal of an upgrade", options, {
    quietMs: "duration",
    settleMs: "duration",
    overlapMs: "duration",
  });
  const startedAt = performance.now();
  checkAccepted(options.accepted ?? []);
  const samples = await samplesOf(options);
  const { former, present } = options;
  const rehearse = async (what: string, from: OperatorVersion, to: OperatorVersion): Promise<RehearsalRecord> => {
    options.report?.({ event: "rehearsal", what });
    return await rehearseOnce({ ...options, former: from, present: to }, samples);
  };
  try {
    const first = await rehearse(`${former.name} to ${present.name}`, former, present);
    const { kept, notes } = accepted(first.violations, options.accepted ?? []);
    if (kept.length === 0 || options.confirms === false)
      return reportOf(kept, { options, notes, record: first, startedAt });
    for (const { message } of kept) options.report?.({ event: "suspected", message });
    const second = await rehearse(`${former.name} to ${present.name} again`, former, present);
    const control = await rehearse(`${former.name} to itself`, former, former);
    const confirmed = confirm(kept, { second, control });
    return reportOf(confirmed.kept, { options, notes: [...notes, ...confirmed.notes], record: first, startedAt });
  } catch (error) {
    if (options.signal?.aborted !== true) throw error;
    const record = { violations: [], missing: [INTERRUPTED], steps: [], output: [] };
    return reportOf([], { options, notes: [], record, startedAt });
  }
}

function checkAccepted(oracles: readonly string[]): void {
  const unknown = oracles.find((oracle) => !JUDGED_ORACLES.some((known) => known === oracle));
  if (unknown === undefined) return;
  throw new RehearseOptionsError(
    `there is no oracle ${JSON.stringify(unknown)} to accept`,
    `the oracles are ${JUDGED_ORACLES.join(", ")}`,
  );
}

async function samplesOf({ samples, objects = [], former }: RehearseOptions): Promise<readonly KubernetesObject[]> {
  const paths = [...(samples ?? [path.join(former.project, "config", "samples")]), ...objects];
  const found = await readManifests({ paths, what: "samples", errorIfPathMissing: true });
  if (found.length > 0) return found;
  throw new RehearseOptionsError(
    "no samples: there are no objects that an upgrade could harm",
    "set `samples` or `objects` to files or folders with objects",
  );
}

interface Sorted {
  readonly kept: readonly UpgradeViolation[];
  readonly notes: readonly string[];
}

function accepted(violations: readonly UpgradeViolation[], oracles: readonly string[]): Sorted {
  const isAccepted = ({ oracle }: UpgradeViolation): boolean => oracles.includes(oracle);
  return {
    kept: violations.filter((violation) => !isAccepted(violation)),
    notes: violations.filter(isAccepted).map(({ oracle, message }) => `accepted: ${oracle}: ${message}`),
  };
}

function confirm(
  violations: readonly UpgradeViolation[],
  { second, control }: { readonly second: RehearsalRecord; readonly control: RehearsalRecord },
): Sorted {
  const again = new Set(second.violations.map(violationKey));
  const always = new Set(control.violations.map(violationKey));
  const reasonOf = (violation: UpgradeViolation): string | undefined => {
    if (!again.has(violationKey(violation))) return "it does not repeat";
    return always.has(violationKey(violation)) ? "an upgrade of the former version to itself shows it, too" : undefined;
  };
  return {
    kept: violations.filter((violation) => reasonOf(violation) === undefined),
    notes: violations.flatMap((violation) => {
      const reason = reasonOf(violation);
      return reason === undefined ? [] : [`${violation.oracle}: ${violation.message}, but ${reason}`];
    }),
  };
}

function reportOf(
  violations: readonly UpgradeViolation[],
  {
    options,
    notes,
    record: { missing, steps, output },
    startedAt,
  }: {
    readonly options: RehearseOptions;
    readonly notes: readonly string[];
    readonly record: RehearsalRecord;
    readonly startedAt: number;
  },
): RehearsalReport {
  const findings = violations.map((violation, index) => ({ id: index + 1, ...violation }));
  for (const finding of findings) options.report?.({ event: "finding", finding });
  const verdict = missing.length > 0 ? "undecided" : findings.length > 0 ? "findings" : "clean";
  const durationMs = Math.round(performance.now() - startedAt);
  return { verdict, findings, missing, notes, steps, output: verdict === "clean" ? [] : output, durationMs };
}

async function rehearseOnce(options: RehearseOptions, samples: readonly KubernetesObject[]): Promise<RehearsalRecord> {
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-rehearse-"));
  const endings: (() => Promise<unknown>)[] = [async () => await rm(folder, { recursive: true, force: true })];
  const over = new AbortController();
  try {
    const trace = new OperatorTrace();
    const cluster = await startRehearsalCluster(options, { folder, onRequest: trace.add });
    endings.unshift(async () => await cluster.close());
    const served = new ServedObjects(cluster.embedded.config, cluster.embedded.server);
    endings.unshift(async () => await served.close());
    const [former, present] = await Promise.all(
      [options.former, options.present].map(async (version, index) => {
        const own = path.join(folder, index === 0 ? "former" : "present");
        makeFolder(own);
        return await InstalledVersion.prepare(version, { cluster, folder: own, env: options.env ?? {} });
      }),
    );
    if (former === undefined || present === undefined) throw new Error("there are two versions");
    const rehearsal = new Rehearsal({ options, samples, cluster, former, present, served, trace });
    endings.unshift(async () => await rehearsal.close());
    return await Promise.race([handledLater(rehearsal.run()), abortion(options.signal, over.signal)]);
  } finally {
    over.abort();
    for (const end of endings) await end();
  }
}

// Rejects when the run is to end early; never resolves.
async function abortion(signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
  return await new Promise((_resolve, reject) => {
    const end = (): void => reject(signal?.reason as Error);
    if (signal?.aborted === true) end();
    signal?.addEventListener("abort", end, { signal: over });
  });
}
