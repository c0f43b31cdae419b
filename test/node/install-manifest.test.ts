import path from "node:path";

import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { exampleProject } from "./example-project.ts";
import { readyManagers } from "./manager-pods.ts";
import { CLUSTER, kubectl, nodeCluster, type NodeProject } from "./node-project.ts";

const LIVENESS_MS = 400_000;

describe.skipIf(CLUSTER === undefined)("the manifest for users on a real node", { timeout: LIVENESS_MS }, () => {
  let project: NodeProject | undefined;
  let client: LiveClient;

  beforeAll(() => {
    client = createClient(nodeCluster().config);
  });

  afterEach(async () => {
    await project?.scaffold("undeploy --delete-crds");
    project?.remove();
  }, LIVENESS_MS);

  it("installs a guestbook by its install.yaml", async () => {
    const image = "example.com/guestbook:installed";
    project = await exampleProject("guestbook", image);
    await project.scaffold(`build-installer --image ${image}`);
    await kubectl("apply", "--server-side", "--filename", path.join(project.root, "dist", "install.yaml"));
    await readyManagers(client, "guestbook-system", 1);
    await kubectl("apply", "--kustomize", path.join(project.root, "config", "samples"));
    await kubectl("wait", "--for=condition=Available", "guestbook/guestbook-sample", "--timeout=120s");
    const { status } = await client.get(Deployment, { namespace: "default", name: "guestbook-sample" });
    expect(status?.availableReplicas).toBe(2);
  });
});
