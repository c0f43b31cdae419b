import { Pod } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { metricsAddressOf } from "../../../src/server/cluster/metrics-address.ts";
import { isRunning, managerStateOf, type ReplicaFacts, replicasOf } from "../../../src/server/cluster/replicas.ts";

const NO_FACTS: ReplicaFacts = { leases: [], isLeaderByMetrics: () => undefined, hasMetrics: () => false };

function pod(name: string, status: Pod["status"] = {}, args: readonly string[] = [], more: object = {}): Pod {
  return Pod.create({
    metadata: { name, namespace: "demo-system", creationTimestamp: "2024-01-01T00:00:00Z" },
    spec: { nodeName: "n1", containers: [{ name: "manager", image: "controller:1", args: [...args], ...more }] },
    status,
  });
}

const READY: Pod["status"] = {
  phase: "Running",
  conditions: [{ type: "Ready", status: "True" }],
  containerStatuses: [
    { name: "manager", image: "controller:1", imageID: "", ready: true, restartCount: 2, state: { running: {} } },
  ],
};

describe("the replicas of a manager", () => {
  it("are its Pods, the holder of the lease first", () => {
    const leases = [
      { name: "other", holder: "somebody_1" },
      { name: "x.demo", holder: "b_7d9c" },
    ];
    const replicas = replicasOf([pod("a", READY), pod("b", READY)], { ...NO_FACTS, leases });
    expect(replicas).toMatchObject([
      { pod: "b", isLeader: true, isReady: true, restarts: 2, node: "n1", image: "controller:1", status: "Running" },
      { pod: "a", isLeader: false },
    ]);
    expect(managerStateOf(replicas, 5)).toEqual({
      type: "manager",
      at: 5,
      state: "ready",
      detail: "2 of 2 replicas ready · leader b",
    });
  });

  it("lead by their metrics if no lease names them", () => {
    const replicas = replicasOf([pod("a", READY)], { ...NO_FACTS, isLeaderByMetrics: () => true });
    expect(replicas[0]?.isLeader).toBe(true);
    expect(replicasOf([pod("a", READY)], NO_FACTS)[0]).not.toHaveProperty("isLeader");
  });

  it("have the status that kubectl prints", () => {
    const waiting = {
      phase: "Pending",
      containerStatuses: [
        {
          name: "manager",
          image: "",
          imageID: "",
          ready: false,
          restartCount: 0,
          state: { waiting: { reason: "ImagePullBackOff" } },
        },
      ],
    } satisfies Pod["status"];
    const replicas = replicasOf([pod("a", waiting), pod("b", { phase: "Pending" })], NO_FACTS);
    expect(replicas.map(({ status }) => status)).toEqual(["ImagePullBackOff", "Pending"]);
    expect(managerStateOf(replicas, 0)).toMatchObject({ state: "starting", detail: "0 of 2 replicas ready" });
    expect(managerStateOf([], 0)).toMatchObject({ state: "stopped" });
    const leaving = pod("a", READY);
    leaving.metadata.deletionTimestamp = "2024-01-01T00:00:00Z";
    expect(replicasOf([leaving], NO_FACTS)[0]?.status).toBe("Terminating");
    expect([pod("a", READY), leaving, pod("b", waiting)].map(isRunning)).toEqual([true, false, false]);
  });
});

describe("where a Pod serves metrics", () => {
  it.each([
    [["--metrics-bind-address=:8443"], { port: 8443, isSecure: true }],
    [
      ["--leader-elect", "-metrics-bind-address", "0.0.0.0:9000", "--metrics-secure=false"],
      { port: 9000, isSecure: false },
    ],
    [["--metrics-bind-address=:1", "--metrics-bind-address=:2"], { port: 2, isSecure: true }],
    [["--metrics-bind-address=[::]:8443"], { port: 8443, isSecure: true }],
    [["--metrics-bind-address=:$(PORT)"], { port: 8080, isSecure: true }],
    [["--metrics-bind-address=0"], undefined],
    [["metrics-bind-address=:8443"], undefined],
    [["--metrics-bind-address"], undefined],
    [["--leader-elect"], undefined],
  ])("is in the flags %j", (args, expected) => {
    expect(metricsAddressOf(pod("a", {}, args, { env: [{ name: "PORT", value: "8080" }] }))).toEqual(expected);
  });

  it("is the port of that name without the flag, in the container of the manager", () => {
    const ports = [{ name: "metrics", containerPort: 9100 }];
    expect(metricsAddressOf(pod("a", {}, ["--metrics-secure=0"], { ports }))).toEqual({ port: 9100, isSecure: false });
    const other = Pod.create({
      metadata: { name: "a", annotations: { "kubectl.kubernetes.io/default-container": "main" } },
      spec: {
        containers: [
          { name: "proxy", image: "p", args: ["--metrics-bind-address=:1"] },
          { name: "main", image: "m", args: ["--metrics-bind-address=:2"] },
        ],
      },
    });
    expect(metricsAddressOf(other)).toEqual({ port: 2, isSecure: true });
    expect(metricsAddressOf(Pod.create({ metadata: { name: "a" }, spec: { containers: [] } }))).toBeUndefined();
  });
});
