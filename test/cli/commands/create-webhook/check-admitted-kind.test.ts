import { builtInResources } from "@kubescaffold/k8s/tables";
import { describe, expect, it } from "vitest";

import { checkAdmittedKind } from "../../../../src/cli/commands/create-webhook/run-create-webhook.ts";
import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

const WEBHOOK = "create webhook --make=false --version v1";

describe("the kind of a webhook", () => {
  it.each([
    [
      "--group admissionregistration --kind ValidatingWebhookConfiguration",
      "do not call webhooks for objects that configure admission",
    ],
    [
      "--group admissionregistration --kind ValidatingAdmissionPolicyBinding",
      "do not call webhooks for objects that configure admission",
    ],
    ["--group authorization --kind SubjectAccessReview", "its objects are never stored"],
    ["--group core --kind Binding", "its objects are never stored"],
    ["--group core --kind ComponentStatus", "cannot be written"],
  ])("is refused where API servers call no webhooks: %s", async (gvk, reason) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const files = readFiles(root);
    for (const type of ["--defaulting", "--programmatic-validation"]) {
      const { status, stderr } = await runCommand(root, `${WEBHOOK} ${gvk} ${type}`);
      expect(status).toBe(1);
      expect(stderr).toMatch(/^error: cannot create a webhook for .* \[PROJECT_WEBHOOK_KIND\]\nhint: /u);
      expect(stderr).toContain(reason);
    }
    expect(readFiles(root)).toEqual(files);
  });

  it("is accepted otherwise", async () => {
    const refused: string[] = [];
    for (const { group, version, kind } of builtInResources) {
      const resource = { core: true, group, kind, version };
      const outcome = checkAdmittedKind(resource, { defaulting: true, validation: false });
      await outcome.catch(() => refused.push(`${group}/${kind}`));
    }
    expect(refused).toEqual([
      "/Binding",
      "/ComponentStatus",
      "admissionregistration.k8s.io/MutatingAdmissionPolicy",
      "admissionregistration.k8s.io/MutatingAdmissionPolicyBinding",
      "admissionregistration.k8s.io/MutatingWebhookConfiguration",
      "admissionregistration.k8s.io/ValidatingAdmissionPolicy",
      "admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding",
      "admissionregistration.k8s.io/ValidatingWebhookConfiguration",
      "authentication.k8s.io/SelfSubjectReview",
      "authentication.k8s.io/TokenReview",
      "authorization.k8s.io/LocalSubjectAccessReview",
      "authorization.k8s.io/SelfSubjectAccessReview",
      "authorization.k8s.io/SelfSubjectRulesReview",
      "authorization.k8s.io/SubjectAccessReview",
    ]);
  });
});
