import { expect, it } from "vitest";

import { dataOf, nextRevision, templateOf } from "../../../src/controllers/workload/controller-revisions.ts";

it("the contents of a revision have the bytes of Go clients, which sort keys", () => {
  const template = {
    spec: { restartPolicy: "Always" as const, containers: [{ name: "main", image: "main:1" }] },
    metadata: { labels: { b: "1", a: "2" } },
  };
  const data = dataOf(template);
  expect(JSON.stringify(data)).toBe(
    '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"a":"2","b":"1"}},' +
      '"spec":{"containers":[{"image":"main:1","name":"main"}],"restartPolicy":"Always"}}}}',
  );
  expect(templateOf({ apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {}, revision: 1, data })).toEqual(
    template,
  );
});

it("the contents of a revision keep integers beyond 2^53", () => {
  const template = { spec: { containers: [], terminationGracePeriodSeconds: 2n ** 53n + 1n } };
  const data = dataOf(template as never);
  expect(data).toEqual({ spec: { template: { $patch: "replace", ...template } } });
});

it("the revision after one beyond 2^53 has a larger number", () => {
  const revision = (2n ** 53n + 1n) as unknown as number;
  const last = { apiVersion: "apps/v1", kind: "ControllerRevision", metadata: {}, revision } as const;
  expect(nextRevision([last])).toBe(2n ** 53n + 2n);
});
