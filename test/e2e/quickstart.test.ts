import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { runProgram } from "../support/run-program.ts";

const STORY = path.join(ROOT, "scripts", "quickstart", "story.mjs");

describe("the quickstart", { concurrent: true, timeout: 600_000 }, () => {
  it("ends with 0 when every step has happened, and shows what it saw", async () => {
    const { status, output } = await runProgram(process.execPath, [STORY, "--skip-tests"], { cwd: ROOT });
    expect({ status, output }).toMatchObject({ status: 0 });
    for (const seen of [
      "$ scaffold create api",
      "system:serviceaccount:guestbook-system:guestbook-controller-manager",
      "Available = True: 2 of 2 Pods are available",
      'Guestbook.webapp.demo "too-big" is invalid: spec.size: Invalid value: 11',
      'admission webhook "vguestbook-v1.kb.io" denied the request',
      "Available = True: 3 of 3 Pods are available",
      "DeploymentCreated",
      "Guestbook guestbook-sample is gone",
    ]) {
      expect(output).toContain(seen);
    }
    expect(output).toMatch(/All \d+ steps done in [\d.]+ s\./u);
  });

  it("fails without one RBAC marker, and names the verb, the resource and the service account", async () => {
    const args = [STORY, "--skip-tests", "--drop-rbac", "resources=deployments"];
    const { status, output } = await runProgram(process.execPath, args, { cwd: ROOT });
    expect({ status, output }).toMatchObject({ status: 1 });
    const [, failure = ""] = output.split("The quickstart failed: ");
    expect(failure).toMatch(/cannot (?:list|watch|get|create) resource \\?"deployments\\?" in API group \\?"apps\\?"/u);
    expect(failure).toContain("system:serviceaccount:guestbook-system:guestbook-controller-manager");
  });
});
