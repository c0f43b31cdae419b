import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";

import { isRecord } from "@kubescaffold/platform";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";

import { VerifyOptionsError } from "../failures/errors.ts";
import type { Finding } from "./finding.ts";
import type { Schedule } from "./schedule.ts";

const FORMAT = "kubescaffold.dev/finding/v1";

/** Writes a finding to `<id>.json` in a folder, which is created if missing, and returns the path. */
export async function writeFinding(folder: string, finding: Finding): Promise<string> {
  makeFolder(folder);
  const file = path.join(folder, `${String(finding.id)}.json`);
  await writePrivateFile(file, `${JSON.stringify({ format: FORMAT, ...finding }, undefined, 2)}\n`);
  return file;
}

/** Removes the findings of earlier runs from a folder; other files stay. */
export async function removeFindings(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => /^\d+\.json$/u.test(each))) {
    const file = path.join(folder, name);
    const content = await readJson(file);
    if (isRecord(content) && content["format"] === FORMAT) await rm(file);
  }
}

/** Reads the schedule of a finding, for a replay. Fails: {@link VerifyOptionsError} for any other file. */
export async function readFinding(file: string): Promise<{ readonly schedule: Schedule }> {
  const value = await readJson(file);
  if (!isRecord(value) || value["format"] !== FORMAT || !isSchedule(value["schedule"])) {
    throw new VerifyOptionsError(`${file} is not a finding`, "pass a file that `scaffold verify` has written");
  }
  return { schedule: value["schedule"] };
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch {
    return undefined;
  }
}

const STEPS = new Set(["create", "delete", "change", "unobserved-change", "unobserved-recreation"]);
const STEPS_WITH_CHANGE = new Set(["change", "unobserved-change"]);
const PERTURBATIONS = new Set(["crash", "lost-answer", "late-answer", "deletion"]);

function isSchedule(value: unknown): value is Schedule {
  if (!isRecord(value)) return false;
  const { steps, changes, perturbation } = value;
  const isPerturbation =
    perturbation === undefined ||
    (isRecord(perturbation) &&
      perturbation["kind"] === "late-events" &&
      typeof perturbation["group"] === "string" &&
      typeof perturbation["resource"] === "string") ||
    (isRecord(perturbation) &&
      PERTURBATIONS.has(String(perturbation["kind"])) &&
      typeof perturbation["write"] === "string" &&
      typeof perturbation["occurrence"] === "number");
  return (
    isPerturbation &&
    Array.isArray(changes) &&
    changes.every(isChange) &&
    Array.isArray(steps) &&
    steps.every(
      (step) =>
        isRecord(step) &&
        STEPS.has(String(step["kind"])) &&
        (!STEPS_WITH_CHANGE.has(String(step["kind"])) || isChange(step["change"])),
    )
  );
}

function isChange(value: unknown): boolean {
  return isRecord(value) && Number.isInteger(value["sample"]) && Array.isArray(value["path"]);
}
