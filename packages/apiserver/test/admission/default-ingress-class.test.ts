import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../support/cluster-requests.ts";

const CLASSES = "/apis/networking.k8s.io/v1/ingressclasses";
const DEFAULT = "ingressclass.kubernetes.io/is-default-class";

let clock: FakeClock;
let cluster: EmbeddedCluster;
let admin: Requests;

beforeEach(() => {
  clock = new FakeClock();
  cluster = createEmbeddedCluster({ clock });
  admin = requestsOf(cluster.config);
});

afterEach(async () => cluster.close());

async function createClass(name: string, value: string): Promise<void> {
  const body = { metadata: { name, annotations: { [DEFAULT]: value } }, spec: { controller: "example.com/none" } };
  expect(await admin.post(CLASSES, body)).toMatchObject({ status: 201 });
  clock.step(1000);
}

async function classOf(spec: object = {}, annotations: object = {}): Promise<unknown> {
  const defaultBackend = { service: { name: "web", port: { number: 80 } } };
  const body = { metadata: { name: "i", annotations }, spec: { defaultBackend, ...spec } };
  const answer = await admin.post("/apis/networking.k8s.io/v1/namespaces/default/ingresses?dryRun=All", body);
  expect(answer).toMatchObject({ status: 201 });
  return (answer.body as { readonly spec: { readonly ingressClassName?: string } }).spec.ingressClassName;
}

describe("DefaultIngressClass", () => {
  it("gives ingresses without a class the newest default one", async () => {
    await createClass("other", "false");
    expect(await classOf()).toBeUndefined();
    await createClass("old", "true");
    await createClass("new", "true");
    expect(await classOf()).toBe("new");
  });

  it("leaves ingresses alone that state a class, also by annotation", async () => {
    await createClass("default", "true");
    expect(await classOf({ ingressClassName: "other" })).toBe("other");
    expect(await classOf({}, { "kubernetes.io/ingress.class": "other" })).toBeUndefined();
  });

  it("can be disabled", async () => {
    await cluster.close();
    cluster = createEmbeddedCluster({ clock, disableAdmissionPlugins: ["DefaultIngressClass"] });
    admin = requestsOf(cluster.config);
    await createClass("default", "true");
    expect(await classOf()).toBeUndefined();
  });
});
