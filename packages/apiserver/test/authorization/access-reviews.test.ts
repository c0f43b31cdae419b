import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { requestsOf, type Answer, type Requests } from "../support/cluster-requests.ts";

const GROUP = "/apis/authorization.k8s.io/v1";
const GET_PODS = { namespace: "default", verb: "get", resource: "pods" };
const GET_PATH = { path: "/x", verb: "get" };

let cluster: EmbeddedCluster;
let admin: Requests;

beforeAll(() => {
  cluster = createEmbeddedCluster();
  admin = requestsOf(cluster.config);
});

afterAll(async () => cluster.close());

async function review(kind: string, spec: object, as: Requests = admin): Promise<Answer> {
  const folder = kind.startsWith("Local") ? `${GROUP}/namespaces/default` : GROUP;
  return as.post(`${folder}/${kind.toLowerCase()}s`, { apiVersion: "authorization.k8s.io/v1", kind, spec });
}

describe("an access review", () => {
  it("of oneself is decided for the one who asks", async () => {
    const jane = requestsOf(cluster.addUser({ name: "jane" }));
    const spec = { resourceAttributes: GET_PODS };
    expect((await review("SelfSubjectAccessReview", spec)).body["status"]).toEqual({ allowed: true });
    expect((await review("SelfSubjectAccessReview", spec, jane)).body["status"]).toEqual({ allowed: false });
    const path = { nonResourceAttributes: { path: "/version", verb: "get" } };
    expect((await review("SelfSubjectAccessReview", path, jane)).body["status"]).toMatchObject({ allowed: true });
  });

  it("of another user is decided by the given groups", async () => {
    const spec = { user: "jane", resourceAttributes: GET_PODS };
    expect((await review("SubjectAccessReview", spec)).body["status"]).toEqual({ allowed: false });
    const asMaster = { ...spec, groups: ["system:masters"] };
    expect((await review("SubjectAccessReview", asMaster)).body["status"]).toEqual({ allowed: true });
  });

  it("in a namespace is answered with that namespace", async () => {
    const answer = await review("LocalSubjectAccessReview", { user: "jane", resourceAttributes: GET_PODS });
    expect(answer).toMatchObject({
      status: 201,
      body: { metadata: { namespace: "default" }, status: { allowed: false } },
    });
  });

  it.each([
    [
      "SelfSubjectAccessReview",
      {},
      "spec: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified",
    ],
    [
      "SubjectAccessReview",
      { resourceAttributes: GET_PODS },
      'spec.user: Invalid value: "": at least one of user or group must be specified',
    ],
    [
      "SubjectAccessReview",
      { user: "x", resourceAttributes: GET_PODS, nonResourceAttributes: GET_PATH },
      'spec: Invalid value: {"Path":"/x","Verb":"get"}: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    ],
    [
      "LocalSubjectAccessReview",
      { user: "x", resourceAttributes: { ...GET_PODS, namespace: "other" } },
      'spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
    ],
    [
      "LocalSubjectAccessReview",
      { nonResourceAttributes: GET_PATH },
      '[spec.user: Invalid value: "": at least one of user or group must be specified, spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: disallowed on this kind of request]',
    ],
  ])("%s of %o is invalid", async (kind, spec, problem) => {
    expect(await review(kind, spec)).toMatchObject({
      status: 422,
      body: { message: `.authorization.k8s.io "" is invalid: ${problem}` },
    });
  });
});
