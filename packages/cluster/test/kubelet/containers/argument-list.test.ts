import type { Container, EnvVar, Pod, Volume } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ObjectReader } from "../../../../apiserver/src/storage/object-reader.ts";
import { type ContainerConfig, containerConfig } from "../../../src/kubelet/containers/container-config.ts";
import { PODS, type Simulation, simulation } from "./pod-fixtures.ts";

const LONGEST_STRING = 131_072;
const LARGEST_LIST = 2 * 1024 * 1024;
const TOO_LONG = "exec /app: argument list too long";

/** Variables of which each has the one before it twice. */
function doublings(count: number): readonly EnvVar[] {
  const names = Array.from({ length: count }, (_, index) => `A${String(index + 1)}`);
  return [
    { name: "A0", value: "0123456789" },
    ...names.map((name, index) => ({ name, value: `$(A${String(index)})$(A${String(index)})` })),
  ];
}

interface Inputs {
  readonly volumes?: readonly Volume[];
  readonly objects?: Readonly<Record<string, object>>;
  readonly bytesOfOthers?: number;
}

function configOf(
  fields: Partial<Container>,
  { volumes = [], objects = {}, bytesOfOthers = 0 }: Inputs = {},
): ContainerConfig {
  const container: Container = { name: "main", image: "i", command: ["/app"], ...fields };
  const pod = {
    metadata: { namespace: "ns", name: "p" },
    spec: { containers: [container], volumes },
  } as unknown as Pod;
  const reader = {
    get: (_: unknown, { name }: { readonly name: string }) => objects[name],
    list: () => [],
  } as unknown as ObjectReader;
  return containerConfig({ container, pod, objects: reader, tokenFor: () => undefined }, bytesOfOthers);
}

describe("the arguments and variables of a process", () => {
  const longest = "x".repeat(LONGEST_STRING - "V=".length - 1);

  it.each<readonly [string, Partial<Container>, string | undefined]>([
    ["13 doublings of a variable", { env: [...doublings(13)] }, undefined],
    ["14 doublings of a variable", { env: [...doublings(14)] }, TOO_LONG],
    ["100 doublings of a variable", { env: [...doublings(100)] }, TOO_LONG],
    ["the longest variable", { env: [{ name: "V", value: longest }] }, undefined],
    ["a longer variable", { env: [{ name: "V", value: `${longest}x` }] }, TOO_LONG],
    ["a longer variable of two-byte characters", { env: [{ name: "V", value: "é".repeat(65_536) }] }, TOO_LONG],
    ["the longest argument", { args: ["x".repeat(LONGEST_STRING - 1)] }, undefined],
    ["a longer argument", { args: ["x".repeat(LONGEST_STRING)] }, TOO_LONG],
    ["an argument that repeats a variable", { env: [...doublings(12)], args: ["$(A12)".repeat(10)] }, TOO_LONG],
    [
      "a command that repeats a variable",
      { env: [...doublings(12)], command: ["/app", "$(A12)".repeat(10)] },
      TOO_LONG,
    ],
    ["many arguments", { env: [...doublings(12)], args: Array.from({ length: 60 }, () => "$(A12)") }, TOO_LONG],
    ["many small arguments", { args: Array.from({ length: 250_000 }, () => "") }, TOO_LONG],
    [
      "many variables",
      { env: Array.from({ length: 50 }, (_, index) => ({ name: `V${String(index)}`, value: "x".repeat(50_000) })) },
      TOO_LONG,
    ],
  ])("have the limits of Linux: %s", (_, fields, execError) => {
    const config = configOf(fields);
    expect(config.execError).toBe(execError);
    expect(config.argumentBytes).toBeLessThanOrEqual(LARGEST_LIST);
  });

  it("have these limits when they come from ConfigMaps", () => {
    const data = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [`K${String(index)}`, "x".repeat(100_000)]),
    );
    expect(
      configOf({ envFrom: [{ configMapRef: { name: "large" } }] }, { objects: { large: { data } } }).execError,
    ).toBe(TOO_LONG);
  });

  it("have a limit for all containers of a Pod", () => {
    expect(configOf({ env: [...doublings(5)] }, { bytesOfOthers: 3 * LARGEST_LIST }).execError).toBeUndefined();
    expect(configOf({ env: [...doublings(5)] }, { bytesOfOthers: 4 * LARGEST_LIST }).execError).toBe(TOO_LONG);
  });

  it("have a limit in the paths of mounts", () => {
    const volumeMounts = [{ name: "data", mountPath: "/data", subPathExpr: "$(A10)" }];
    const volumes = [{ name: "data", emptyDir: {} }];
    expect(configOf({ env: [...doublings(10)].slice(0, 9), volumeMounts: [] }, { volumes }).files.size).toBeGreaterThan(
      0,
    );
    expect(() => configOf({ env: [...doublings(10)], volumeMounts }, { volumes })).toThrow(
      "subPathExpr: file name too long",
    );
  });
});

describe("the files of a container", () => {
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${String(index)}`, "v"]));
  const objects = { many: { data } };
  const volumes = [{ name: "many", configMap: { name: "many" } }];
  const mounts = (count: number): NonNullable<Container["volumeMounts"]> =>
    Array.from({ length: count }, (_, index) => ({ name: "many", mountPath: `/m${String(index)}` }));

  it("are limited, since many mounts can have the same volume", () => {
    expect(configOf({ volumeMounts: mounts(99) }, { volumes, objects }).files.size).toBeGreaterThan(99_000);
    expect(() => configOf({ volumeMounts: mounts(101) }, { volumes, objects })).toThrow(
      "the mounts have more than 100000 files",
    );
  });

  it("are shared by mounts of the same volume", () => {
    const { files } = configOf({ volumeMounts: mounts(2) }, { volumes, objects });
    expect(files.get("/m0/k1")).toBe(files.get("/m1/k1"));
  });
});

describe("a Pod whose variables double", () => {
  let simulated: Simulation;

  beforeEach(() => {
    simulated = simulation();
    simulated.cluster.images.define("app:1", () => 0);
  });

  afterEach(async () => simulated.cluster.close());

  it("fails to start as on a node: the error is in the log, and the back-off in an event", async () => {
    await simulated.run("loop", { command: ["/app"], env: doublings(22) });
    const pod = await simulated.eventually("loop", {
      status: { containerStatuses: [{ state: { waiting: { reason: "CrashLoopBackOff" } } }] },
    });
    expect(pod.status.containerStatuses[0]?.lastState).toMatchObject({
      terminated: { exitCode: 255, reason: "Error" },
    });
    const { body } = await simulated.admin.get(`${PODS}/loop/log`);
    expect(body).toMatchObject({ text: `${TOO_LONG}\n` });
    const events = (await simulated.admin.get("/api/v1/namespaces/default/events")).body as unknown as {
      readonly items: readonly { readonly reason: string }[];
    };
    expect(events.items.map(({ reason }) => reason)).toContain("BackOff");
  });

  it("has failed when it is not restarted", async () => {
    await simulated.run("once", { command: ["/app"], env: doublings(22) }, { restartPolicy: "Never" });
    const pod = await simulated.eventually("once", { status: { phase: "Failed" } });
    expect(pod.status.containerStatuses).toMatchObject([{ state: { terminated: { exitCode: 255 } } }]);
  });
});
