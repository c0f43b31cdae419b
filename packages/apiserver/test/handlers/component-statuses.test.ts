import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { afterEach, describe, expect, it } from "vitest";

import { requestsOf, type Requests } from "../support/cluster-requests.ts";
import { TestServer } from "../support/test-server.ts";

const PATH = "/api/v1/componentstatuses";

let cluster: EmbeddedCluster | undefined;

afterEach(async () => {
  await cluster?.close();
  cluster = undefined;
});

function start(options: Parameters<typeof createEmbeddedCluster>[0]): Requests {
  cluster = createEmbeddedCluster(options);
  return requestsOf(cluster.config);
}

interface Status {
  readonly metadata: { readonly name: string };
  readonly conditions: readonly { readonly status: string; readonly message: string }[];
}

async function healthOf(admin: Requests, query: string = ""): Promise<Readonly<Record<string, string | undefined>>> {
  const { items } = (await admin.get(`${PATH}${query}`)).body as { readonly items: readonly Status[] };
  return Object.fromEntries(items.map(({ metadata, conditions }) => [metadata.name, conditions[0]?.status]));
}

describe("component statuses", () => {
  it("show the components that run", async () => {
    const admin = start({ workloadSimulation: true });
    expect(await healthOf(admin)).toEqual({ "controller-manager": "True", scheduler: "True", "etcd-0": "True" });
    expect((await admin.get(PATH)).body).toMatchObject({ kind: "ComponentStatusList", metadata: {} });
  });

  it.each(["Table", "PartialObjectMetadataList"])("have no version in a %s, either", async (kind) => {
    const { body } = await new TestServer().get(PATH, { Accept: `application/json;as=${kind};v=v1;g=meta.k8s.io` });
    expect([body["kind"], body["metadata"]]).toEqual([kind, {}]);
  });

  it("show the others as unreachable", async () => {
    const admin = start({ lifecycleControllers: false });
    expect(await healthOf(admin)).toEqual({ "controller-manager": "False", scheduler: "False", "etcd-0": "True" });
    const { body } = await admin.get(`${PATH}/scheduler`);
    expect((body as unknown as Status).conditions[0]?.message).toBe(
      'Get "https://127.0.0.1:10259/healthz": dial tcp 127.0.0.1:10259: connect: connection refused',
    );
  });

  it("are selected, and are the only ones", async () => {
    const admin = start({});
    expect(await healthOf(admin, "?fieldSelector=metadata.name=etcd-0")).toEqual({ "etcd-0": "True" });
    expect(await healthOf(admin, "?labelSelector=a=b")).toEqual({});
    expect(await admin.get(`${PATH}/etcd-1`)).toMatchObject({
      status: 404,
      body: { message: 'componentstatus "etcd-1" not found' },
    });
  });
});
