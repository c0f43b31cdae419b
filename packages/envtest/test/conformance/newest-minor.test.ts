import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { afterAll, describe, vi } from "vitest";

import { ownRecordings } from "./recordings.ts";
import { API_ROWS, CLUSTER_ROWS, GUARD_ROWS } from "./rows/all-rows.ts";
import { FLAG_ROWS } from "./rows/flag-rows.ts";
import { testFlagRows } from "./test-flag-rows.ts";
import { testRows } from "./test-rows.ts";

// The modules above read the version when they are loaded. Runs that select one, or the real server, have these rows already.
const isNeeded = await vi.hoisted(async () => {
  const variable = "KUBESCAFFOLD_COMPARED_MINOR";
  if (process.env[variable] !== undefined || process.env["CONFORMANCE_BACKEND"] === "real") return false;
  const { KUBERNETES_MINOR: newest } = await import("@kubescaffold/k8s");
  process.env[variable] = newest;
  return true;
});

afterAll(() => {
  if (isNeeded) delete process.env["KUBESCAFFOLD_COMPARED_MINOR"];
});

const own = new Set(ownRecordings(KUBERNETES_MINOR));

describe.runIf(isNeeded)(`rows that Kubernetes ${KUBERNETES_MINOR} answers otherwise than the recorded version`, () => {
  for (const rows of [API_ROWS, GUARD_ROWS, CLUSTER_ROWS]) testRows(rows.filter(({ row }) => own.has(row)));
  testFlagRows(FLAG_ROWS.filter(({ row }) => own.has(row)));
});
