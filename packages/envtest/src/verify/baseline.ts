import { readFile } from "node:fs/promises";
import path from "node:path";

import { messageOf } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";

import { VerifyOptionsError } from "../failures/errors.ts";
import { type Violation, violationKey } from "../oracles/oracles.ts";
import type { Finding } from "./finding.ts";

const FORMAT = "kubescaffold.dev/baseline/v1";

/** A violation that is known, and fails no run. */
export type KnownViolation = Pick<Violation, "oracle" | "object">;

/** Reads the violations of a baseline. Fails: {@link VerifyOptionsError} for any other file. */
export async function readBaseline(file: string): Promise<readonly KnownViolation[]> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new VerifyOptionsError(`cannot read the baseline: ${messageOf(error)}`, CREATE_HINT);
  });
  const value = parsed(text);
  if (!isRecord(value) || value["format"] !== FORMAT || !isKnownList(value["violations"])) {
    throw new VerifyOptionsError(`${file} is not a baseline`, CREATE_HINT);
  }
  return value["violations"];
}

const CREATE_HINT = "create it with `scaffold verify --baseline FILE --update-baseline`";

/** Writes the violations of findings as a baseline, each once, in order of their names. */
export async function writeBaseline(file: string, findings: readonly Pick<Finding, "violations">[]): Promise<void> {
  const known = new Map(
    findings.flatMap(({ violations }) =>
      violations.map(({ oracle, object }) => [violationKey({ oracle, object }), { oracle, object }] as const),
    ),
  );
  const violations = [...known].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
  makeFolder(path.dirname(file));
  await writePrivateFile(file, `${JSON.stringify({ format: FORMAT, violations }, undefined, 2)}\n`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isKnownList(value: unknown): value is readonly KnownViolation[] {
  return (
    Array.isArray(value) &&
    value.every((each) => isRecord(each) && typeof each["oracle"] === "string" && typeof each["object"] === "string")
  );
}
