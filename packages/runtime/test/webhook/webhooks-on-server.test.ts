import { Environment } from "@kubescaffold/envtest";
import { defineKind, isForbidden, isInvalid, type Kind, newInvalid } from "@kubescaffold/k8s";
import { Namespace } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import type { LiveClient } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { contextValues } from "../../src/log/context-values.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";

interface Book extends KubernetesObject {
  spec: { title?: string; size?: number; future?: Record<string, string> };
}

const Book: Kind<Book> = defineKind<Book>({ group: "webhooks.demo", version: "v1" }, "Book");

const CRD = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "books.webhooks.demo" },
  spec: {
    group: "webhooks.demo",
    names: { kind: "Book", listKind: "BookList", plural: "books", singular: "book" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: { spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
          },
        },
      },
    ],
  },
};

function configuration(kind: "Mutating" | "Validating", path: string): object {
  const webhook = {
    name: `${kind.toLowerCase()}.webhooks.demo`,
    admissionReviewVersions: ["v1"],
    sideEffects: "None",
    failurePolicy: "Fail",
    clientConfig: { service: { name: "webhooks", namespace: "default", path } },
    rules: [
      {
        apiGroups: ["webhooks.demo"],
        apiVersions: ["v1"],
        operations: kind === "Mutating" ? ["CREATE", "UPDATE"] : ["CREATE", "UPDATE", "DELETE"],
        resources: ["books"],
      },
    ],
  };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}WebhookConfiguration`,
    metadata: { name: `${kind.toLowerCase()}-books` },
    webhooks: [webhook],
  };
}

const environment = new Environment({
  crds: [CRD],
  webhooks: {
    configurations: [
      configuration("Mutating", "/mutate-webhooks-demo-v1-book"),
      configuration("Validating", "/validate-webhooks-demo-v1-book"),
    ],
  },
});
const stopping = new AbortController();
const warnings: string[] = [];
const seen: string[] = [];
const regions: (readonly [place: string, region: unknown])[] = [];
const certificates: string[] = [];
let client: LiveClient;
let namespace: string;
let running: Promise<void>;

beforeAll(async () => {
  const config = await environment.start();
  const { host, port, certDirectory } = environment.webhookServing;
  const mgr = await createManager(config, {
    logger: silentLogger,
    metrics: { bindAddress: "0" },
    webhook: { host, port, certDir: certDirectory, onCertificate: ({ cert }) => void certificates.push(cert) },
    baseContext: () => ({ region: "eu" }),
  });
  const readRegion = (place: string): void => void regions.push([place, contextValues()["region"]]);
  mgr.add(async () => readRegion("runnable"));
  await newControllerManagedBy(mgr)
    .for(Book)
    .named("context-values")
    .complete(async () => {
      await Promise.resolve();
      readRegion("reconciler");
    });
  newWebhookManagedBy(mgr)
    .for(Book)
    .withDefaulter({
      default: (book) => {
        book.spec.size ??= 100;
      },
    })
    .withValidator({ validateCreate, validateUpdate, validateDelete })
    .complete();
  running = mgr.start(stopping.signal);
  await Promise.race([mgr.getWebhookServer().listening, running]);
  client = createClient(config, { warningHandler: ({ text }) => void warnings.push(text) });
  const made = await client.create(Namespace.create({ metadata: { generateName: "webhooks-" } }));
  namespace = made.metadata.name ?? "";
  await untilAsked();
});

afterAll(async () => {
  stopping.abort();
  await running;
  await environment.stop();
});

function validateCreate(book: Book): readonly string[] {
  if (book.spec.title === "forbidden") throw new Error("this title is not welcome");
  if ((book.spec.size ?? 0) < 0) {
    throw newInvalid({ group: "webhooks.demo", kind: "Book" }, book.metadata.name ?? "", [
      { type: "FieldValueInvalid", field: "spec.size", badValue: book.spec.size, detail: "must not be negative" },
    ]);
  }
  return book.spec.title === undefined ? ["a book without a title is hard to find"] : [];
}

function validateUpdate(oldBook: Book, newBook: Book): void {
  seen.push(`update ${String(oldBook.spec.size)} to ${String(newBook.spec.size)}`);
}

function validateDelete(book: Book): void {
  regions.push(["webhook", contextValues()["region"]]);
  seen.push(`delete ${book.spec.title ?? ""}`);
  if (book.spec.title === "precious") throw new Error("precious books stay");
}

// A real server takes a configuration into use a moment after it is stored.
async function untilAsked(): Promise<void> {
  const probe = (title: string): Promise<Book> => client.create(book("probe", { title }), { dryRun: true });
  await vi.waitFor(async () => expect((await probe("probe")).spec.size).toBe(100), 20_000);
  await vi.waitFor(() => expect(probe("forbidden")).rejects.toSatisfy(isForbidden), 20_000);
}

function book(name: string, spec: Book["spec"]): Book {
  return Book.create({ metadata: { name, namespace }, spec });
}

describe("webhooks of a manager on a server", () => {
  it("row 38: users see the message of a refusal with 403, or the status with its causes", async () => {
    const refused = client.create(book("refused", { title: "forbidden" }));
    await expect(refused).rejects.toSatisfy(isForbidden);
    await expect(refused).rejects.toThrow(/denied the request: this title is not welcome/u);
    const invalid = client.create(book("invalid", { title: "x", size: -1 }));
    await expect(invalid).rejects.toSatisfy(isInvalid);
    await expect(invalid).rejects.toThrow(/spec\.size: Invalid value: -1: must not be negative/u);
  });

  it("row 38: warnings reach the user although the object is admitted", async () => {
    await client.create(book("untitled", {}));
    expect(warnings).toContain("a book without a title is hard to find");
  });

  it("row 38: the old object is given on update and on delete", async () => {
    const created = await client.create(book("seen", { title: "precious", size: 1 }));
    const updated = await client.update({ ...created, spec: { ...created.spec, size: 2 } });
    expect(seen).toContain("update 1 to 2");
    await expect(client.delete(updated)).rejects.toThrow(/precious books stay/u);
    expect(seen).toContain("delete precious");
  });

  it("reconcilers, webhooks, and runnables read the values of the manager's baseContext, and the program receives the certificate", async () => {
    const created = await client.create(book("region", { title: "t" }));
    await client.delete(created);
    const places = (): Set<string> => new Set(regions.map(([place]) => place));
    await vi.waitFor(() => expect(places()).toEqual(new Set(["reconciler", "runnable", "webhook"])));
    expect(new Set(regions.map(([, region]) => region))).toEqual(new Set(["eu"]));
    expect(certificates).toEqual([expect.stringContaining("BEGIN CERTIFICATE")]);
  });

  it("row 39: a default is set, unknown fields stay, and a second write changes nothing", async () => {
    const created = await client.create(book("defaulted", { title: "t", future: { a: "b" } }));
    expect(created.spec).toEqual({ title: "t", size: 100, future: { a: "b" } });
    const again = await client.update(created);
    expect(again.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
  });
});
