import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { Environment, kubeconfigOf } from "@kubescaffold/envtest";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { userEnvironment } from "../support/run-program.ts";
import { GROUPS } from "./kubectl-table/groups.ts";
import { differenceOf, KNOWN_DIFFERENCES } from "./kubectl-table/known-differences.ts";
import { normalize, type RecordedCommand, structureOf, wordsOf } from "./kubectl-table/normalize.ts";
import { COMPARED_MINOR, readRecorded, writeRecorded } from "./kubectl-table/recordings.ts";
import { findKubectl } from "./kubectl.ts";

const LIVENESS_MS = 300_000;
// With this the commands run on the real control plane, and what they write is recorded.
const isRecording = process.env["KUBECTL_RECORD"] === "1";

const program = findKubectl();
if (program === undefined) {
  console.warn(
    "SKIPPED: the commands of kubectl were NOT compared, since there is none; `npm run test:control-plane` builds it",
  );
}

it("lists the known differences of kubectl in the documentation", () => {
  const page = readFileSync(path.join(ROOT, "docs/verification/embedded-server-differences.md"), "utf8");
  for (const { reason } of KNOWN_DIFFERENCES) expect(page).toContain(`- ${reason}\n`);
});

describe.skipIf(program === undefined).each(GROUPS)("kubectl: $name", { timeout: LIVENESS_MS }, (group) => {
  const namespace = `table-${group.name}`;
  const recorded = isRecording ? [] : readRecorded(group.name);
  const ran: RecordedCommand[] = [];
  let environment: Environment;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "kubectl-table-"));
    environment = new Environment({
      ...(isRecording
        ? { backend: "binaries", binaryAssetsDirectory: path.dirname(program ?? "") }
        : { backend: "embedded" }),
      kubernetesVersion: COMPARED_MINOR,
      controllers: group.controllers ?? false,
      workloads: group.controllers ?? false,
      startTimeoutMs: LIVENESS_MS,
    });
    const started = await environment.start();
    const config = isRecording ? started : await environment.listen();
    writeFileSync(path.join(folder, "kubeconfig"), kubeconfigOf(config));
    for (const [name, text] of Object.entries(group.files ?? {})) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), text.replaceAll("<namespace>", namespace));
    }
    for (const line of [
      `create namespace ${namespace}`,
      `config set-context --current --namespace=${namespace}`,
      ...(group.before ?? []),
    ]) {
      const { status, stderr } = await run(line);
      if (status !== 0) throw new Error(`kubectl ${line}: ${stderr.join("\n")}`);
    }
  }, LIVENESS_MS);

  afterAll(async () => {
    if (isRecording) writeRecorded(group.name, ran);
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  }, LIVENESS_MS);

  async function run(line: string): Promise<RecordedCommand> {
    const result = await execa(program ?? "", wordsOf(line), {
      cwd: folder,
      env: { ...userEnvironment(), KUBECONFIG: path.join(folder, "kubeconfig"), ...temporaryFolders(folder) },
      extendEnv: false,
      stdin: "ignore",
      reject: false,
      timeout: LIVENESS_MS,
    });
    const stdout = normalize(result.stdout, namespace, folder);
    const stderr = normalize(result.stderr, namespace, folder);
    const shown = (lines: readonly string[]): readonly string[] => {
      if (group.onlyStatus?.includes(line) === true) return [];
      return group.anyOrder?.includes(line) === true ? lines.toSorted() : lines;
    };
    return {
      command: line,
      status: result.exitCode,
      stdout: shown(line.startsWith("explain ") ? structureOf(stdout) : stdout),
      stderr: shown(stderr),
    };
  }

  // Every command goes on where the one before it stopped, as a user does.
  it.each(group.commands)("%s", async (command) => {
    const written = await run(command);
    if (isRecording) {
      ran.push(written);
      return;
    }
    const expected = recorded.find((one) => one.command === command);
    expect(expected, "record the commands first: KUBECTL_RECORD=1").toBeDefined();
    // A difference that is gone leaves the table.
    const isKnown = differenceOf(group.name, command) !== undefined;
    expect(written).toEqual(isKnown ? otherThan(expected) : expected);
  });
});

function otherThan(recorded: RecordedCommand | undefined): unknown {
  return expect.not.objectContaining({ ...recorded });
}

// kubectl keeps what it learns of the server in the home folder, and compares objects as files.
function temporaryFolders(folder: string): Readonly<Record<string, string>> {
  return { HOME: folder, USERPROFILE: folder, TMPDIR: folder, TEMP: folder };
}
