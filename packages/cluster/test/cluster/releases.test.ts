import { once } from "node:events";
import { createServer } from "node:http";

import { SUPPORTED_MINORS } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it, onTestFinished, vi } from "vitest";

import { linesOf } from "../../../apiserver/src/release/release-tables.ts";
import { loadRelease, type Release } from "../../../apiserver/src/release/release.ts";
import { requestsOf } from "../../../apiserver/test/support/cluster-requests.ts";
import { CONTROLLER_POLICIES } from "../../src/cluster/cluster-controllers.ts";
import { createClusterOf, type EmbeddedCluster } from "../../src/cluster/embedded-cluster.ts";

type Requests = ReturnType<typeof requestsOf>;

interface Running {
  readonly cluster: EmbeddedCluster;
  readonly admin: Requests;
  readonly release: Release;
}

const RBAC = "/apis/rbac.authorization.k8s.io/v1";

const WAIT = { timeout: 5000, interval: 5 };

describe.each(SUPPORTED_MINORS)("a cluster of Kubernetes %s", (minor) => {
  it("has the roles and bindings of its tables", async () => {
    const { admin, release } = await start(minor);
    const places = linesOf(release.roles).map((line) => line.slice(0, line.indexOf("|")));
    const ofControllers = CONTROLLER_POLICIES.map(({ name }) => `system:controller:${name}`);
    const clusterRoles = [...places.filter((place) => !place.includes("/")), ...ofControllers];
    expect(await namesAt(admin, `${RBAC}/clusterroles`)).toEqual([...new Set(clusterRoles)].toSorted());
    const roles = places.filter((place) => place.includes("/"));
    expect(await namesAt(admin, `${RBAC}/roles`)).toEqual(roles.toSorted());
    const bindings = linesOf(release.bindings).map((line) => line.slice(0, line.indexOf("|")));
    const found = [
      ...(await namesAt(admin, `${RBAC}/clusterrolebindings`)),
      ...(await namesAt(admin, `${RBAC}/rolebindings`)),
    ];
    const plain = (name: string): boolean => name.includes("/") || !name.startsWith("system:controller:");
    expect(found.filter(plain)).toEqual(bindings.filter(plain));
  });

  it("has the rules of its tables", async () => {
    const { admin, release } = await start(minor);
    const [, , rules = ""] = (linesOf(release.roles).find((line) => line.startsWith("system:node|")) ?? "").split("|");
    const { body } = await admin.get(`${RBAC}/clusterroles/system:node`);
    expect((body["rules"] as readonly unknown[]).length).toBe(rules.split("; ").length);
  });

  it("registers the group versions that it serves", async () => {
    const { admin, release } = await start(minor);
    const served = release.api.resources.filter(({ group }) => group !== "apiregistration.k8s.io");
    const names = new Set(served.map(({ group, version }) => `${version}.${group}`));
    expect(await namesAt(admin, "/apis/apiregistration.k8s.io/v1/apiservices")).toEqual([...names].toSorted());
  });

  it("has nodes of its version", async () => {
    const { admin, release } = await start(minor);
    await admin.post("/api/v1/nodes", { metadata: { name: "other" } });
    await vi.waitFor(async () => {
      const { body } = await admin.get("/api/v1/nodes");
      const versions = (body["items"] as readonly KubeletNode[]).map(({ status }) => status?.nodeInfo?.kubeletVersion);
      expect(versions).toEqual([release.version.gitVersion, release.version.gitVersion]);
    }, WAIT);
  });

  it("has kubelets that name its version in their requests", async () => {
    const { cluster, admin } = await start(minor);
    const agents: string[] = [];
    const server = createServer((request, response) => {
      agents.push(request.headers["user-agent"] ?? "");
      response.end();
    });
    cluster.images.define("app:*", {
      lifecycleHooks: true,
      probes: true,
      run: async ({ ports, signal }) => {
        ports.listen(8080, (connection) => server.emit("connection", connection));
        await once(signal, "abort");
      },
    });
    const httpGet = { port: 8080, path: "/" };
    const created = await admin.post("/api/v1/namespaces/default/pods", {
      metadata: { name: "p" },
      spec: {
        containers: [{ name: "c", image: "app:1", lifecycle: { postStart: { httpGet } }, readinessProbe: { httpGet } }],
      },
    });
    expect(created.status).toBe(201);
    await vi.waitFor(() => expect(agents).toEqual([`kube-lifecycle/${minor}`, `kube-probe/${minor}`]), WAIT);
  });
});

interface KubeletNode {
  readonly status?: { readonly nodeInfo?: { readonly kubeletVersion: string } };
}

interface Named {
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

async function start(minor: string): Promise<Running> {
  const release = loadRelease(minor);
  if (release === undefined) throw new Error(`there is no release ${minor}`);
  const cluster = createClusterOf(release, { clock: new FakeClock(), workloadSimulation: true });
  onTestFinished(async () => await cluster.close());
  cluster.server.start();
  return { cluster, admin: requestsOf(cluster.config), release };
}

async function namesAt(admin: Requests, path: string): Promise<readonly string[]> {
  const { body } = await admin.get(path);
  return (body["items"] as readonly Named[]).map(({ metadata: { name, namespace } }) =>
    namespace === undefined ? name : `${namespace}/${name}`,
  );
}
