import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { apiVersionOf } from "@kubescaffold/k8s";
import type { AdmissionRequest, AdmissionReview, Operation } from "@kubescaffold/k8s/admission/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { handledLater } from "@kubescaffold/platform";
import {
  type admission,
  createClient,
  patch,
  silentLogger,
  type WebhookHost,
  WebhookServer,
  type WebhookServerOptions,
} from "@kubescaffold/runtime";

import { AdmissionNotAskedError } from "../failures/errors.ts";
import { prepareWebhookServing, type WebhookInstallOptions } from "../install/webhook-serving.ts";
import {
  askedPaths,
  installConfigurations,
  readConfigurations,
  uninstallWebhooks,
  type WebhookConfiguration,
  withWebhooksAt,
} from "../webhooks/install-webhooks.ts";
import { backendOf, type EnvironmentOptions } from "./environment-options.ts";
import { Environment } from "./environment.ts";

/** Options of {@link checkAdmission}. */
export interface AdmissionCheckOptions {
  /** The server with its definitions and generated webhook configurations. */
  readonly environment: EnvironmentOptions;
  /** Registers the webhooks like the manager does. */
  readonly setup: (host: WebhookHost) => void;
  /** A valid object; it is created, updated, and deleted. */
  readonly object: KubernetesObject;
  /** The operations that must call the webhook at a path. Default: create and update. */
  readonly operations?: Readonly<Record<string, readonly Operation[]>>;
}

/** The operations that called each webhook, by path. */
export type AskedOperations = Readonly<Record<string, readonly Operation[]>>;

const OPERATIONS: readonly Operation[] = ["CREATE", "UPDATE"];

/**
 * Checks that an API server calls the webhooks of a kind: that the generated configurations have their paths, and match the group, version, resource,
 * and operations of an object.
 *
 * The decisions of the webhooks are irrelevant: each is replaced by one that admits everything.
 * Fails: AdmissionNotAskedError, and with the errors of {@link Environment.start}; StatusError for an object that the server refuses.
 */
export async function checkAdmission(options: AdmissionCheckOptions): Promise<AskedOperations> {
  const { webhooks = {}, ...others } = options.environment;
  const folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-admission-"));
  // Without webhooks the environment converts nothing, so only admission is checked.
  const environment = new Environment(others);
  try {
    await environment.start();
    return await checkIn(environment, { ...options, webhooks, folder });
  } finally {
    await environment.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Check extends AdmissionCheckOptions {
  readonly webhooks: WebhookInstallOptions;
  /** For the certificate. */
  readonly folder: string;
}

async function checkIn(environment: Environment, check: Check): Promise<AskedOperations> {
  const serving = await prepareWebhookServing(check.webhooks, check.folder);
  const { host, port, certDirectory: certDir } = serving;
  const server = new AdmittingServer(check.object, { host, port, certDir, log: silentLogger });
  check.setup({ getWebhookServer: () => server, getLogger: () => silentLogger });
  const configurations = await configurationsOf(server, check);
  const stopping = new AbortController();
  const running = handledLater(server.start(stopping.signal));
  await Promise.race([server.listening, running]);
  try {
    await installConfigurations(environment.config, configurations, serving);
    await writeUntilAsked(environment, server, check);
  } finally {
    try {
      await uninstallWebhooks(environment.config, configurations);
    } finally {
      stopping.abort();
      await running;
    }
  }
  const left = unasked(server.asked(), check);
  if (left.length > 0) throw new AdmissionNotAskedError(left);
  return server.asked();
}

// Other kinds and versions have their own checks.
async function configurationsOf(
  server: AdmittingServer,
  { object, webhooks }: Check,
): Promise<readonly WebhookConfiguration[]> {
  const paths = Object.keys(server.asked());
  if (paths.length === 0) throw new AdmissionNotAskedError([`no webhook of ${object.kind} is registered`]);
  const read = await readConfigurations(webhooks);
  const known = read.flatMap((configuration) => askedPaths(configuration));
  const left = paths.filter((each) => !known.includes(each));
  if (left.length > 0) throw new AdmissionNotAskedError(left.map((each) => describeUnknown(each, known)));
  refuseMisplaced(read, server);
  return read.map((configuration) => withWebhooksAt(configuration, paths));
}

function describeUnknown(served: string, known: readonly string[]): string {
  const others = known.length === 0 ? "they have none" : `they have ${known.join(", ")}`;
  return `a webhook is served at ${served}, and no webhook configuration has that path: ${others}`;
}

const MISPLACED: Readonly<Record<string, { readonly role: admission.AdmissionRole; readonly name: string }>> = {
  MutatingWebhookConfiguration: { role: "validating", name: "validator" },
  ValidatingWebhookConfiguration: { role: "mutating", name: "defaulter" },
};

// A defaulter in a validating configuration has no effect.
function refuseMisplaced(configurations: readonly WebhookConfiguration[], server: AdmittingServer): void {
  const reasons = configurations.flatMap((configuration) => {
    const { role, name = "" } = MISPLACED[configuration.kind] ?? {};
    return askedPaths(configuration)
      .filter((each) => role !== undefined && server.roleOf(each) === role)
      .map(
        (each) => `the webhook at ${each} is in a ${configuration.kind}, and is a ${name}: set mutating in its marker`,
      );
  });
  if (reasons.length > 0) throw new AdmissionNotAskedError(reasons);
}

const ATTEMPTS = 25;
const INTERVAL_MS = 200;

// Other servers than the embedded one load configurations with a delay.
async function writeUntilAsked(environment: Environment, server: AdmittingServer, check: Check): Promise<void> {
  const attempts = backendOf(check.environment) === "embedded" ? 1 : ATTEMPTS;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    await write(environment, check.object);
    if (attempt === attempts || unasked(server.asked(), check).length === 0) return;
    await sleep(INTERVAL_MS);
  }
}

// Sends all fields every time, since storing another version loses fields that it does not have.
async function write({ config }: Environment, object: KubernetesObject): Promise<void> {
  const client = createClient(config);
  await client.create(object);
  const annotations = { ...object.metadata.annotations, "kubescaffold.dev/changed": "true" };
  try {
    await client.patch({ ...object, metadata: { ...object.metadata, annotations } }, patch.merge());
  } finally {
    await client.delete(object);
  }
}

const DONE: Readonly<Record<Operation, string>> = {
  CREATE: "created",
  UPDATE: "changed",
  DELETE: "deleted",
  CONNECT: "connected to",
};

function unasked(asked: AskedOperations, { object, operations = {} }: Check): readonly string[] {
  return Object.entries(asked).flatMap(([served, seen]) =>
    (operations[served] ?? OPERATIONS)
      .filter((each) => !seen.includes(each))
      .map((each) => `the webhook at ${served} was not called when a ${object.kind} was ${DONE[each]}`),
  );
}

// The conversion webhook does not serve admission.
const CONVERT_PATH = "/convert";

/** Admits everything in place of the registered webhooks, and records the operations on one object. */
export class AdmittingServer extends WebhookServer {
  readonly #object: KubernetesObject;
  readonly #asked = new Map<string, Set<Operation>>();
  readonly #roles = new Map<string, admission.AdmissionRole | undefined>();

  constructor(object: KubernetesObject, options: WebhookServerOptions) {
    super(options);
    this.#object = object;
  }

  /** Returns the operations that called each webhook, by path. */
  asked(): Readonly<Record<string, readonly Operation[]>> {
    return Object.fromEntries([...this.#asked].map(([path, operations]) => [path, [...operations]]));
  }

  /** Returns the role of the webhook at a path, if its handler has one. */
  roleOf(path: string): admission.AdmissionRole | undefined {
    return this.#roles.get(path);
  }

  override register(path: string, handler: admission.AdmissionEndpoint): void {
    if (path === CONVERT_PATH) {
      super.register(path, handler);
      return;
    }
    const operations = new Set<Operation>();
    this.#asked.set(path, operations);
    this.#roles.set(path, handler.role);
    super.register(path, (request) => this.#admit(request, operations));
  }

  async #admit(request: Request, operations: Set<Operation>): Promise<Response> {
    const review = (await request.json()) as AdmissionReview;
    if (review.request === undefined) return new Response("there is no request in the review", { status: 400 });
    if (this.#isAboutObject(review.request)) operations.add(review.request.operation);
    const { apiVersion, kind } = review;
    return Response.json({ apiVersion, kind, response: { uid: review.request.uid, allowed: true } });
  }

  // Other clients may write objects, too; the version must be that of the kind.
  #isAboutObject({ kind: { group, version, kind }, object, oldObject }: AdmissionRequest): boolean {
    const found = (object ?? oldObject) as KubernetesObject | undefined;
    const isKind = kind === this.#object.kind && apiVersionOf({ group, version }) === this.#object.apiVersion;
    return isKind && found?.metadata.name === this.#object.metadata.name;
  }
}
