import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { describe, expect, it } from "vitest";

import { createOrPatch, createOrUpdate, type Mutate } from "../../src/controllerutil/controllerutil.ts";
import { withLogger } from "../../src/log/call-scope.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { serverForTests } from "../support/server-for-tests.ts";

const server = serverForTests();
const labels = { app: "web" };
// The server adds defaults to what replaces its own: the most frequent fault of operators.
const replaceSpec: Mutate<Deployment> = (current) => ({
  ...current,
  spec: {
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: "main", image: "web:1" }] } },
  },
});

function wanted(name: string): Deployment {
  return Deployment.create({ metadata: { namespace: server.on.namespace, name } });
}

describe("a write after which the server stores what it stored before", () => {
  it.each([
    ["createOrUpdate", createOrUpdate],
    ["createOrPatch", createOrPatch],
  ] as const)("%s reports it as unchanged, and logs once which fields differ", async (name, run) => {
    const logger = createRecordingLogger();
    const apply = async (mutate: Mutate<Deployment>): Promise<string> =>
      await withLogger(logger, async () => (await run(server.on.live, wanted(name.toLowerCase()), mutate)).result);
    expect(await apply(replaceSpec)).toBe("created");
    expect([await apply(replaceSpec), await apply(replaceSpec)]).toEqual(["unchanged", "unchanged"]);
    expect(logger.records).toHaveLength(1);
    const fields = logger.records[0]?.fields?.["fields"];
    expect(fields).toContain("spec.template.spec.containers[0].imagePullPolicy");
    expect(fields).toContain("spec.progressDeadlineSeconds");
    expect(fields).not.toContain("spec.replicas");
  });

  it.each([
    ["createOrUpdate", createOrUpdate],
    ["createOrPatch", createOrPatch],
  ] as const)("%s reports a write that changed something as updated, and logs nothing", async (name, run) => {
    const logger = createRecordingLogger();
    const results: string[] = [];
    for (const replicas of [0, 0, 1]) {
      const { result } = await withLogger(
        logger,
        async () =>
          await run(server.on.live, wanted(`changed-${name.toLowerCase()}`), async (current) => {
            const { spec } = (await replaceSpec(current)) ?? current;
            current.spec = { ...spec, ...current.spec, replicas } as Deployment["spec"] & object;
          }),
      );
      results.push(result);
    }
    expect(results).toEqual(["created", "unchanged", "updated"]);
    expect(logger.records).toEqual([]);
  });
});
