import { expect, it } from "vitest";

import { dataOf, templateOf } from "../../../src/controllers/workload/controller-revisions.ts";

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
