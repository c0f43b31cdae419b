import { once } from "node:events";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { MainProcess } from "../../../src/kubelet/containers/image-definitions.ts";
import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

let pods: Simulation;

beforeEach(() => {
  pods = simulation();
});

afterEach(async () => pods.cluster.close());

// Runs a pod whose process ends at once, and returns what the process got.
async function processOf(container: object, spec: object = {}): Promise<MainProcess> {
  const started = new Promise<MainProcess>((resolve) => {
    pods.cluster.images.define("*", async (process) => {
      resolve(process);
      await once(process.signal, "abort");
    });
  });
  await pods.run("p", container, spec);
  return await started;
}

// The files of a process but for those about names and about its control group.
function mounted({ files }: Pick<MainProcess, "files">): object {
  const others = [...files].filter(([path]) => !/^\/(?:etc\/(?:hosts|resolv\.conf)$|sys\/)/u.test(path));
  return Object.fromEntries(others.map(([path, bytes]) => [path, bytes.toString("latin1")]));
}

async function messagesOf(reason: string): Promise<readonly string[]> {
  const { body } = await pods.admin.get(`/api/v1/namespaces/default/events?fieldSelector=reason=${reason}`);
  const { items } = body as unknown as { readonly items: readonly { readonly message: string }[] };
  return items.map(({ message }) => message);
}

describe("the container runtime", () => {
  it("passes the command, arguments, variables, and files of the container", async () => {
    const { admin } = pods;
    await admin.post("/api/v1/namespaces/default/configmaps", {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings" },
      data: { mode: "fast", "app.conf": "a=1\n" },
      binaryData: { blob: "AAE=" },
    });
    await admin.post("/api/v1/namespaces/default/secrets", {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "login" },
      data: { password: Buffer.from("hunter2").toString("base64") },
    });
    const process = await processOf(
      {
        command: ["serve"],
        args: ["--mode=$(MODE)", "$$(MODE)", "$(UNKNOWN)"],
        envFrom: [{ prefix: "CFG_", configMapRef: { name: "settings" } }],
        env: [
          { name: "MODE", valueFrom: { configMapKeyRef: { name: "settings", key: "mode" } } },
          { name: "PASSWORD", valueFrom: { secretKeyRef: { name: "login", key: "password" } } },
          { name: "ABSENT", valueFrom: { secretKeyRef: { name: "none", key: "x", optional: true } } },
          { name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
          { name: "BOTH", value: "$(POD)/$(MODE)" },
        ],
        volumeMounts: [
          { name: "conf", mountPath: "/etc/app" },
          { name: "secret", mountPath: "/etc/login/" },
          { name: "conf", mountPath: "/one.conf", subPath: "app.conf" },
        ],
      },
      {
        volumes: [
          { name: "conf", configMap: { name: "settings" } },
          { name: "secret", secret: { secretName: "login", items: [{ key: "password", path: "deep/pw" }] } },
        ],
      },
    );
    expect(process.command).toEqual(["serve"]);
    expect(process.args).toEqual(["--mode=fast", "$(MODE)", "$(UNKNOWN)"]);
    const ofServices = Object.keys(process.env).filter((name) => name.startsWith("KUBERNETES_"));
    expect(process.env["KUBERNETES_SERVICE_HOST"]).toBe("10.0.0.1");
    expect(process.env).toEqual({
      ...Object.fromEntries(ofServices.map((name) => [name, process.env[name]])),
      HOSTNAME: "p",
      CFG_mode: "fast",
      "CFG_app.conf": "a=1\n",
      CFG_blob: "\0\u{1}",
      MODE: "fast",
      PASSWORD: "hunter2",
      POD: "p",
      BOTH: "p/fast",
    });
    expect(mounted(process)).toEqual({
      "/etc/app/mode": "fast",
      "/etc/app/app.conf": "a=1\n",
      "/etc/app/blob": "\0\u{1}",
      "/etc/login/deep/pw": "hunter2",
      "/one.conf": "a=1\n",
    });
  });

  it("reports a container whose ConfigMap is missing, and starts it when the ConfigMap exists", async () => {
    pods.cluster.images.define("app:*", {});
    await pods.run("p", { envFrom: [{ configMapRef: { name: "late" } }] });
    const waiting = { reason: "CreateContainerConfigError", message: 'configmap "late" not found' };
    await pods.eventually("p", {
      status: { phase: "Pending", containerStatuses: [{ ready: false, state: { waiting } }] },
    });
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "late" } };
    await pods.admin.post("/api/v1/namespaces/default/configmaps", configMap);
    const pod = await pods.eventually("p", { status: { phase: "Running", containerStatuses: [{ ready: true }] } });
    expect(pod.status.containerStatuses).toMatchObject([{ restartCount: 0 }]);
  });

  it("reports the exit codes of containers that are not restarted", async () => {
    pods.cluster.images.define("good", () => 0);
    pods.cluster.images.define("bad", () => {
      throw new TypeError("no disk");
    });
    await pods.run("good", { image: "good" }, { restartPolicy: "Never" });
    await pods.run("bad", { image: "bad" }, { restartPolicy: "Never" });
    const terminated = { exitCode: 0, reason: "Completed" };
    await pods.eventually("good", { status: { phase: "Succeeded", containerStatuses: [{ state: { terminated } }] } });
    await pods.eventually("bad", {
      status: { phase: "Failed", containerStatuses: [{ state: { terminated: { exitCode: 1, reason: "Error" } } }] },
    });
    const ready = (await pods.pod("good")).status.conditions.find(({ type }) => type === "Ready");
    expect(ready).toMatchObject({ status: "False", reason: "PodCompleted" });
    expect((await pods.admin.get(`${PODS}/bad/log`)).body).toEqual({ text: "no disk\n" });
  });

  it("reports the end of the output of a container that failed, where its policy says so", async () => {
    pods.cluster.images.define("app:*", ({ log }) => {
      log("x".repeat(3000));
      log("no disk");
      return 1;
    });
    await pods.run("p", { terminationMessagePolicy: "FallbackToLogsOnError" }, { restartPolicy: "Never" });
    const { status } = await pods.eventually("p", { status: { phase: "Failed" } });
    const message = String(status.containerStatuses[0]?.state["terminated"]?.["message"]);
    expect([message.length, message.endsWith("x\nno disk\n")]).toEqual([2048, true]);
  });

  it("reports the message that a container has set, also after a success", async () => {
    pods.cluster.images.define("app:*", ({ setTerminationMessage, log }) => {
      log("not this");
      setTerminationMessage("first");
      setTerminationMessage(`second ${"x".repeat(5000)}`);
    });
    await pods.run("p", { terminationMessagePolicy: "FallbackToLogsOnError" }, { restartPolicy: "Never" });
    const { status } = await pods.eventually("p", { status: { phase: "Succeeded" } });
    const message = String(status.containerStatuses[0]?.state["terminated"]?.["message"]);
    expect([message.length, message.slice(0, 8)]).toEqual([4096, "second x"]);
  });

  it.each([
    ["/data", "error SubPath `/data` must not be an absolute path"],
    ["..", "unable to provision SubPath `..`: must not contain '..'"],
    ["$(NONE)", 'missing value for "NONE"'],
  ])("does not start with the expanded sub-path %s", async (value, message) => {
    const isStarted: string[] = [];
    pods.cluster.images.define("app:*", () => void isStarted.push("yes"));
    const subPathExpr = value === "$(NONE)" ? value : "$(FOLDER)";
    const container = {
      env: [{ name: "FOLDER", value }],
      volumeMounts: [{ name: "data", mountPath: "/data", subPathExpr }],
    };
    await pods.run("p", container, { volumes: [{ name: "data", emptyDir: {} }] });
    const reason = "CreateContainerConfigError";
    await pods.eventually("p", { status: { containerStatuses: [{ state: { waiting: { reason, message } } }] } });
    expect(isStarted).toEqual([]);
  });

  it("lets the files of a running container follow their ConfigMap, except for sub-paths", async () => {
    const path = "/api/v1/namespaces/default/configmaps";
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { a: "1", b: "2" } };
    await pods.admin.post(path, configMap);
    const { files } = await processOf(
      {
        volumeMounts: [
          { name: "conf", mountPath: "/conf" },
          { name: "conf", mountPath: "/a", subPath: "a" },
        ],
      },
      { volumes: [{ name: "conf", configMap: { name: "settings" } }] },
    );
    await pods.admin.put(`${path}/settings`, { ...configMap, data: { a: "3", c: "4" } });
    await pods.cluster.server.idle();
    expect(mounted({ files })).toEqual({
      "/conf/a": "3",
      "/conf/c": "4",
      "/a": "1",
    });
  });

  it("restarts a container that ended at once, then backs off", async () => {
    const clock = new FakeClock();
    await pods.cluster.close();
    pods = simulation(clock);
    pods.cluster.images.define("*", ({ log }) => {
      log("hello");
      return 3;
    });
    await pods.run("p");
    const ended = { terminated: { exitCode: 3 } };
    await pods.eventually("p", {
      status: { phase: "Running", containerStatuses: [{ restartCount: 0, state: ended }] },
    });
    clock.step(0);
    const waiting = { reason: "CrashLoopBackOff" };
    const lastState = { terminated: { exitCode: 3, reason: "Error" } };
    await pods.eventually("p", {
      status: {
        phase: "Running",
        containerStatuses: [{ ready: false, restartCount: 1, state: { waiting }, lastState }],
      },
    });
    clock.step(10_000);
    const pod = await pods.eventually("p", {
      status: { containerStatuses: [{ restartCount: 2, state: { waiting } }] },
    });
    expect(pod.status.containerStatuses[0]?.state["waiting"]?.["message"]).toContain("back-off 20s restarting");
  });

  it("asks the processes of a deleted Pod to stop, and deletes it when they have", async () => {
    let finish = (): void => undefined;
    const done = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const process = new Promise<MainProcess>((resolve) => {
      pods.cluster.images.define("*", async (started) => {
        resolve(started);
        await done;
      });
    });
    await pods.run("p");
    const { signal } = await process;
    expect(signal.aborted).toBe(false);
    await pods.admin.delete(`${PODS}/p`);
    await pods.cluster.server.idle();
    expect(signal.aborted).toBe(true);
    expect((await pods.admin.get(`${PODS}/p`)).status).toBe(200);
    finish();
    await pods.eventually("p", { code: 404 });
  });

  it("deletes a Pod whose process does not stop after the grace period", async () => {
    const clock = new FakeClock();
    await pods.cluster.close();
    pods = simulation(clock);
    pods.cluster.images.define("*", async () => {
      await new Promise(() => undefined);
    });
    await pods.run("p");
    await pods.admin.delete(`${PODS}/p`);
    await pods.cluster.server.idle();
    expect((await pods.admin.get(`${PODS}/p`)).status).toBe(200);
    clock.step(31_000);
    await pods.eventually("p", { code: 404 });
  });

  it("aborts all processes when the server closes", async () => {
    const process = await processOf({});
    await pods.cluster.close();
    expect(process.signal.aborted).toBe(true);
  });

  it("uses the last definition that matches the image", async () => {
    const { images } = pods.cluster;
    const codes: Record<string, number> = { "*": 1, "app:*": 2, "app:*-alpine": 3, "app:9": 4 };
    for (const [pattern, code] of Object.entries(codes)) images.define(pattern, () => code);
    const remove = images.define("app:*", () => 5);
    remove();
    const expected = { "other:1": 1, "app:1": 2, "app:1-alpine": 3, "app:9": 4 };
    for (const [image, exitCode] of Object.entries(expected)) {
      const name = image.replace(":", "-");
      await pods.run(name, { image }, { restartPolicy: "Never" });
      const pod = await pods.eventually(name, { status: { containerStatuses: [{ state: { terminated: {} } }] } });
      expect(pod.status.containerStatuses[0]?.state["terminated"]).toMatchObject({ exitCode });
    }
  });

  it("writes the events of a kubelet about healthy containers", async () => {
    pods.cluster.images.define("app:*", async ({ signal }) => {
      await once(signal, "abort");
    });
    const missing = { configMapKeyRef: { name: "config", key: "mode" } };
    await pods.run("p", { env: [{ name: "MODE", valueFrom: missing }] });
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "config" }, data: { mode: "a" } };
    await pods.admin.post("/api/v1/namespaces/default/configmaps", configMap);
    await pods.eventually("p", { status: { containerStatuses: [{ ready: true }] } });
    await pods.admin.delete(`${PODS}/p`);
    await vi.waitFor(async () => expect(await pods.admin.get(`${PODS}/p`)).toMatchObject({ status: 404 }));
    const { body } = await pods.admin.get("/api/v1/namespaces/default/events?fieldSelector=source=kubelet");
    const { items } = body as unknown as { readonly items: readonly Readonly<Record<string, string>>[] };
    expect(items.map(({ type, reason, message }) => [type, reason, message].join(" ")).toSorted()).toEqual([
      "Normal Created Container created",
      "Normal Killing Stopping container c",
      'Normal Pulled Container image "app:1" already present on machine and can be accessed by the pod',
      "Normal Started Container started",
      'Warning Failed Error: configmap "config" not found',
    ]);
  });

  it("does not start programs that are not in the image", async () => {
    pods.cluster.images.define("app:*", { programs: ["/bin/serve"], run: () => 0 });
    for (const [name, program, problem] of [
      ["path", "/bin/server", "stat /bin/server: no such file or directory"],
      ["name", "server", "executable file not found in $PATH"],
    ] as const) {
      await pods.run(name, { command: [program] }, { restartPolicy: "Never" });
      const text = `unable to start container process: exec: "${program}": ${problem}: unknown`;
      const { status } = await pods.eventually(name, { status: { phase: "Failed" } });
      expect(status.containerStatuses[0]?.state["terminated"]).toMatchObject({
        exitCode: 128,
        reason: "StartError",
        message: expect.stringContaining(text) as unknown,
      });
    }
    await pods.run("p", { command: ["serve"] }, { restartPolicy: "Never" });
    await pods.eventually("p", { status: { phase: "Succeeded" } });
  });

  it("starts Pods when the contents of their volumes exist", async () => {
    pods.cluster.images.define("app:*", async ({ signal }) => {
      await once(signal, "abort");
    });
    const items = [{ key: "mode", path: "mode" }];
    const volumes = [
      { name: "settings", configMap: { name: "settings", items } },
      { name: "unused", secret: { secretName: "none" } },
    ];
    await pods.run("p", { volumeMounts: [{ name: "settings", mountPath: "/etc/app" }] }, { volumes });
    const { status } = await pods.eventually("p", { status: { phase: "Pending" } });
    expect(status.containerStatuses[0]?.state).toEqual({ waiting: { reason: "ContainerCreating" } });
    expect(await messagesOf("FailedMount")).toEqual([
      'MountVolume.SetUp failed for volume "settings" : configmap "settings" not found',
    ]);
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" } };
    await pods.admin.post("/api/v1/namespaces/default/configmaps", configMap);
    await vi.waitFor(async () => expect(await messagesOf("FailedMount")).toHaveLength(2), { timeout: 5000 });
    expect(await messagesOf("FailedMount")).toContain(
      'MountVolume.SetUp failed for volume "settings" : configmap references non-existent config key: mode',
    );
    await pods.admin.put("/api/v1/namespaces/default/configmaps/settings", { ...configMap, data: { mode: "a" } });
    await pods.eventually("p", { status: { phase: "Running", containerStatuses: [{ ready: true }] } });
  });

  it("refuses images without a valid name, and those that must not be pulled", async () => {
    pods.cluster.images.define("missing:*", { isMissing: true });
    for (const [name, container, reason] of [
      ["name", { image: "example.com/UPPER" }, "InvalidImageName"],
      ["never", { image: "missing:1", imagePullPolicy: "Never" }, "ErrImageNeverPull"],
    ] as const) {
      await pods.run(name, container);
      const { status } = await pods.eventually(name, { status: { phase: "Pending", containerStatuses: [{}] } });
      expect(status.containerStatuses[0]?.state["waiting"]).toMatchObject({ reason });
      expect(await messagesOf("Failed")).toContain(`Error: ${reason}`);
    }
  });
});
