import { describe, expect, it } from "vitest";

import { type Body, TestServer } from "../../support/test-server.ts";

const JOBS = "/apis/batch/v1/namespaces/default/jobs";
const GENERATED = [
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
  "controller-uid",
  "job-name",
] as const;

function job(metadata: object, template: object, spec: object = {}): object {
  const pod = { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] };
  return { metadata: { name: "j", ...metadata }, spec: { ...spec, template: { metadata: template, spec: pod } } };
}

function labelNames({ metadata }: Body): readonly string[] {
  return Object.keys(metadata.labels ?? {}).toSorted();
}

// As kube-apiserver 1.37.2 answers.
describe("the labels of a Job without labels", () => {
  it.each([
    ["of its template, with the generated ones", { labels: { a: "b" } }, ["a", ...GENERATED]],
    ["the generated ones of a template without labels", {}, GENERATED],
  ])("are those %s", async (_title, template, names) => {
    const { code, body } = await new TestServer().post(JOBS, job({}, template));
    expect(code).toBe(201);
    expect(labelNames(body)).toEqual(names);
  });

  it("are those of its template alone where its selector is stated", async () => {
    const spec = { manualSelector: true, selector: { matchLabels: { a: "b" } } };
    const { body } = await new TestServer().post(JOBS, job({}, { labels: { a: "b" } }, spec));
    expect(body.metadata.labels).toEqual({ a: "b" });
  });

  it("are those of its template after an update, too", async () => {
    const server = new TestServer();
    const created = await server.post(JOBS, job({ labels: { x: "y" } }, { labels: { a: "b" } }));
    expect(created.body.metadata.labels).toEqual({ x: "y" });
    const headers = { "Content-Type": "application/merge-patch+json" };
    const { body } = await server.call("PATCH", `${JOBS}/j`, { metadata: { labels: null } }, headers);
    expect(labelNames(body)).toEqual(["a", ...GENERATED]);
  });
});

it("the labels of a Job and of its template that are equal do not become one", async () => {
  const { body } = await new TestServer().post(JOBS, job({ labels: { a: "b" } }, { labels: { a: "b" } }));
  expect(body.metadata.labels).toEqual({ a: "b" });
  expect(Object.keys(body.spec.template.metadata.labels)).toHaveLength(1 + GENERATED.length);
});
