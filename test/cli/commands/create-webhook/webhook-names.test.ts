import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const WEBHOOK = "create webhook --make=false --version v1 --kind Event";
const BOTH = "--defaulting --programmatic-validation";
const OWN = "internal/webhook/webapp/v1/event_webhook.ts";

// Three kinds of one name, in three groups.
async function projectOfEvents(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(
    root,
    `${INIT} --multigroup`,
    "create api --make=false --group webapp --version v1 --kind Event --resource --controller=false",
    `${WEBHOOK} --group core ${BOTH}`,
    `${WEBHOOK} --group events --defaulting`,
    `${WEBHOOK} --group events --programmatic-validation`,
    `${WEBHOOK} --group webapp ${BOTH}`,
    "manifests",
  );
  return root;
}

function namesIn(root: string): readonly string[] {
  const text = readFiles(root)["config/webhook/manifests.yaml"] ?? "";
  return [...text.matchAll(/^ {2}name: ([mv].*kb\.io)$/gmu)].map(([, name = ""]) => name);
}

describe("webhooks of kinds that have one name in several groups", () => {
  it("have their own names, which API servers take", async () => {
    const root = await projectOfEvents();
    expect(namesIn(root)).toEqual([
      "mevent-v1.events.k8s.io.kb.io",
      "mevent-v1.kb.io",
      "mevent-v1.webapp.demo.kb.io",
      "vevent-v1.events.k8s.io.kb.io",
      "vevent-v1.kb.io",
      "vevent-v1.webapp.demo.kb.io",
    ]);
    const environment = new Environment({
      backend: "embedded",
      webhooks: { paths: [path.join(root, "config", "webhook")] },
    });
    await expect(environment.start()).resolves.toBeDefined();
    await environment.stop();
  });

  it("are served in the tests of each other where the objects are the same", async () => {
    const root = await projectOfEvents();
    const suiteOf = (group: string): string => readFiles(root)[`internal/webhook/${group}/v1/webhook_suite.ts`] ?? "";
    expect(suiteOf("core")).toContain("\n    setupEventsEventV1Webhook(mgr);\n");
    expect(suiteOf("events")).toContain("\n    setupCoreEventV1Webhook(mgr);\n");
    expect(suiteOf("webapp")).not.toContain("V1Webhook");
    const once = suiteOf("core");
    await runCommands(root, "delete webhook --group events --version v1 --kind Event");
    expect(suiteOf("core")).not.toContain("setupEvents");
    await runCommands(root, `${WEBHOOK} --group events ${BOTH}`);
    expect(suiteOf("core")).toBe(once);
  });

  it("keep them when the one with the usual name goes, until they go themselves", async () => {
    const root = await projectOfEvents();
    await runCommands(
      root,
      "delete webhook --group core --version v1 --kind Event",
      "delete webhook --group events --version v1 --kind Event --defaulting",
    );
    expect(namesIn(root)).toEqual([
      "mevent-v1.webapp.demo.kb.io",
      "vevent-v1.events.k8s.io.kb.io",
      "vevent-v1.webapp.demo.kb.io",
    ]);
    expect(readFiles(root)["PROJECT"]).not.toContain("mevent-v1.events.k8s.io.kb.io");
    await runCommands(root, `${WEBHOOK} --group events --defaulting`, "manifests");
    expect(namesIn(root)).toContain("mevent-v1.kb.io");
    await runCommands(root, "delete webhook --group events --version v1 --kind Event");
    expect(Object.keys(readFiles(root)).filter((file) => file.includes("/events/"))).toEqual([]);
  });

  it("are renamed with the kind, in changed files too", async () => {
    const root = await projectOfEvents();
    const changed = (readFiles(root)[OWN] ?? "").replaceAll("// TODO(user)", "// Mine");
    writeFiles(root, { [OWN]: changed });
    await runCommands(root, "rename api --group webapp --kind Event --to-kind Party");
    const files = readFiles(root);
    expect(files["internal/webhook/webapp/v1/party_webhook.ts"]).toContain("name=mparty-v1.kb.io,");
    expect(namesIn(root)).toEqual(expect.arrayContaining(["mparty-v1.kb.io", "vparty-v1.kb.io"]));
    expect(files["PROJECT"]).not.toContain("webapp.demo.kb.io");
    await runCommands(root, "rename api --group webapp --kind Party --to-kind Event");
    expect(readFiles(root)[OWN]).toBe(changed);
    expect((await runCommand(root, "doctor")).stdout).not.toMatch(/event_webhook/u);
  });

  it("are regenerated as they are recorded", async () => {
    const root = await projectOfEvents();
    const again = path.join(temporaryFolder(), "again");
    await runCommands(root, `alpha generate --output-dir ${again}`);
    expect(readFiles(again)[OWN]).toBe(readFiles(root)[OWN]);
    expect(readFiles(again)["PROJECT"]).toBe(readFiles(root)["PROJECT"]);
  });
});
