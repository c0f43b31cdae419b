import { connect } from "node:net";
import path from "node:path";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";

import { messageOf, StatusError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { realClock } from "@kubescaffold/platform/clock";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";
import { type OperatorManifests, readOperatorManifests } from "@kubescaffold/runtime/operator-project";

import { kubeconfigOf } from "../control-plane/kubeconfig.ts";
import { freePorts } from "../control-plane/managed-process.ts";
import { withCredentials } from "../install/service-accounts.ts";
import { createOrReplace } from "../operator/install-operator.ts";
import { certificateVariables, hasWebhooks, installProject } from "../operator/install-project.ts";
import { keepToken } from "../operator/token-file.ts";
import { cleanEnvironment } from "../verify/clean-environment.ts";
import { OperatorProcess } from "../verify/operator-process.ts";
import { managerDeployments } from "./manager-deployment.ts";
import type { RehearsalCluster } from "./rehearsal-cluster.ts";
import type { OperatorVersion } from "./rehearse-options.ts";

const READY_MS = 60_000;
const POLL_MS = 100;
const GRACE_MS = 10_000;

/** One of the two versions of an operator on the cluster: its manifests, and the process of its manager. */
export class InstalledVersion {
  readonly name: string;
  readonly webhookPort: number | undefined;
  readonly operator: OperatorManifests;
  readonly #cluster: RehearsalCluster;
  readonly #version: OperatorVersion;
  readonly #folder: string;
  readonly #healthPort: number;
  readonly #env: Readonly<Record<string, string>>;
  #process: OperatorProcess | undefined;
  #stopRenewals = (): void => undefined;

  private constructor(
    version: OperatorVersion,
    {
      cluster,
      operator,
      folder,
      ports: [healthPort = 0, webhookPort],
      env,
    }: {
      readonly cluster: RehearsalCluster;
      readonly operator: OperatorManifests;
      readonly folder: string;
      readonly ports: readonly number[];
      readonly env: Readonly<Record<string, string>>;
    },
  ) {
    this.name = version.name;
    this.operator = operator;
    this.webhookPort = webhookPort;
    this.#version = version;
    this.#cluster = cluster;
    this.#folder = folder;
    this.#healthPort = healthPort;
    this.#env = env;
  }

  /** Reads the manifests of a version. Fails: `NotAnOperatorError`. */
  static async prepare(
    version: OperatorVersion,
    {
      cluster,
      folder,
      env,
    }: { readonly cluster: RehearsalCluster; readonly folder: string; readonly env: Readonly<Record<string, string>> },
  ): Promise<InstalledVersion> {
    const operator = await readOperatorManifests(version.project);
    const ports = await freePorts(hasWebhooks(version.project) ? 2 : 1);
    return new InstalledVersion(version, { cluster, operator, folder, ports, env });
  }

  /** The user name of the manager. */
  get user(): string {
    const { namespace, serviceAccountName } = this.operator;
    return `system:serviceaccount:${namespace}:${serviceAccountName}`;
  }

  /** The end of what the manager has printed. */
  get output(): string {
    return this.#process?.output ?? "";
  }

  /** Returns the exits of the manager since the last call. */
  takeExits(): readonly string[] {
    return this.#process?.takeExits() ?? [];
  }

  /** Applies the manifests, like a user: what the server refuses stays as it is. Returns the refusals. */
  async install(): Promise<readonly string[]> {
    const { client, serving, embedded } = this.#cluster;
    const { project } = this.#version;
    const webhooks =
      this.webhookPort === undefined
        ? undefined
        : { ...serving, ca: this.operator.certificates === undefined ? serving.ca : "" };
    const deployments = await managerDeployments(project, this.operator);
    const parts: readonly (() => Promise<unknown>)[] = [
      ...installProject({ cluster: embedded, client, projectDirectory: project, webhooks }, this.operator),
      ...deployments.map((deployment: KubernetesObject) => async () => await createOrReplace(client, deployment)),
    ];
    const refusals: string[] = [];
    for (const part of parts) {
      try {
        await part();
      } catch (error) {
        if (!(error instanceof StatusError)) throw error;
        refusals.push(messageOf(error));
      }
    }
    return refusals;
  }

  /** Starts the manager, and waits until it is ready. Returns the reason if it does not become ready. */
  async start(): Promise<string | undefined> {
    this.#process = new OperatorProcess({
      command: this.#command(),
      cwd: path.resolve(this.#version.project),
      env: await this.#variables(),
    });
    this.#process.start();
    const over = new AbortController();
    try {
      return await Promise.race([this.#ready(over.signal), this.#process.givenUp(over.signal)]);
    } finally {
      over.abort();
    }
  }

  /** Asks the manager to end, as a kubelet does, and waits for its end. */
  async stop(): Promise<void> {
    this.#stopRenewals();
    await this.#process?.stop(GRACE_MS);
  }

  async #ready(signal: AbortSignal): Promise<string | undefined> {
    const deadline = performance.now() + READY_MS;
    while (!signal.aborted) {
      if (await this.#isReady()) return undefined;
      if (performance.now() > deadline) return `the manager is not ready within ${String(READY_MS / 1000)} s`;
      await delay(POLL_MS);
    }
    return undefined;
  }

  async #isReady(): Promise<boolean> {
    const response = await fetch(`http://127.0.0.1:${String(this.#healthPort)}/readyz`).catch(() => undefined);
    if (response?.ok !== true) return false;
    return this.webhookPort === undefined || (await isListening(this.webhookPort));
  }

  #command(): readonly [string, ...string[]] {
    const [program, ...words] = this.#version.command ?? [process.execPath, "--import", "tsx", "cmd/main.ts"];
    return [
      program,
      ...words,
      `--kubeconfig=${this.#kubeconfig}`,
      "--leader-elect",
      `--health-probe-bind-address=127.0.0.1:${String(this.#healthPort)}`,
      "--metrics-bind-address=0",
      ...(this.webhookPort === undefined
        ? []
        : [
            "--webhook-host=127.0.0.1",
            `--webhook-port=${String(this.webhookPort)}`,
            ...(this.operator.certificates === undefined
              ? [`--webhook-cert-path=${this.#cluster.serving.certDirectory}`]
              : []),
          ]),
    ];
  }

  get #kubeconfig(): string {
    return path.join(this.#folder, "kubeconfig");
  }

  async #variables(): Promise<Readonly<Record<string, string>>> {
    const { embedded, reachable, serving } = this.#cluster;
    const home = path.join(this.#folder, "home");
    makeFolder(home);
    const file = path.join(this.#folder, "token");
    const { namespace, serviceAccountName: name } = this.operator;
    this.#stopRenewals = await keepToken({
      config: embedded.config,
      account: { namespace, name },
      file,
      clock: realClock,
    });
    await writePrivateFile(
      this.#kubeconfig,
      kubeconfigOf(withCredentials(reachable, { kind: "token-file", path: file })),
    );
    return cleanEnvironment(process.env, {
      home,
      kubeconfig: this.#kubeconfig,
      // Outside of a Pod, leader election finds its namespace here.
      env: { POD_NAMESPACE: namespace, ...certificateVariables(this.operator, serving), ...this.#env },
    });
  }
}

async function isListening(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
