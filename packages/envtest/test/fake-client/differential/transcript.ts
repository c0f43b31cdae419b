import { gvkOf, ScaffoldError, StatusError } from "@kubescaffold/k8s";
import { Deployment } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";
import { type Patch, patch, type LiveClient } from "@kubescaffold/runtime";

import { Widget } from "../sample-kinds.ts";
import { type Call, type Change, identityOf, type PatchForm } from "./random-calls.ts";

/** Runs calls against one client, and describes the outcomes in terms that do not depend on the server: no times, uids, or versions. */
export class Transcript {
  readonly #client: LiveClient;
  /** The results of calls by object, the latest first. */
  readonly #memory = new Map<string, KubernetesObject[]>();
  readonly #uids = new Map<string, string>();
  readonly #versions = new Map<string, string[]>();

  constructor(client: LiveClient) {
    this.#client = client;
  }

  /** Returns the outcome of a call: its normalized result, or its error. */
  async outcomeOf(call: Call): Promise<unknown> {
    try {
      const result = await this.#run(call);
      this.#remember(result);
      return { result: this.#normalize(result) };
    } catch (error) {
      return { error: describeError(error) };
    }
  }

  /** Returns the events of all kinds since a version, up to the creation of a last object of each kind. */
  async eventsSince(resourceVersion: string, last: readonly KubernetesObject[]): Promise<readonly unknown[]> {
    const events: unknown[] = [];
    for (const object of last) {
      await this.#client.create(object);
      const options = { namespace: "default", resourceVersion, allowWatchBookmarks: false };
      for await (const event of this.#client.watch(gvkOf(object), options)) {
        events.push({ type: event.type, object: this.#normalize(event.object) });
        if (event.type === "ERROR" || (event.object as KubernetesObject).metadata.name === object.metadata.name) break;
      }
    }
    return events;
  }

  async #run(call: Call): Promise<unknown> {
    const client = this.#client;
    switch (call.verb) {
      case "get":
        return client.get(gvkOf(call.target), keyOf(call.target), { metadataOnly: call.metadataOnly });
      case "list":
        return client.list(call.kind, call.options);
      case "create":
        return client.create(call.target, call.options);
      case "update": {
        const changed = this.#changed(call);
        return call.isStatus ? client.status().update(changed, call.options) : client.update(changed, call.options);
      }
      case "patch": {
        const changed = this.#changed(call);
        const body = patchOf(call.patch, this.#recall(call.target, call.age), call.fields);
        return call.isStatus
          ? client.status().patch(changed, body, call.options)
          : client.patch(changed, body, call.options);
      }
      case "apply":
        return call.isStatus
          ? client.status().apply(call.target, call.options)
          : client.apply(call.target, call.options);
      case "delete": {
        const preconditions = this.#preconditionsOf(call);
        return client.delete(call.target, { ...call.options, ...preconditions });
      }
      case "deleteAllOf":
        return client.deleteAllOf(call.kind, call.options);
      case "getScale":
        return client.subResource("scale").get(call.target);
      case "setScale": {
        const body = {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: keyOf(call.target),
          spec: { replicas: call.replicas },
        };
        return client.subResource("scale").update(call.target, { body });
      }
    }
  }

  #preconditionsOf({ target, precondition }: Extract<Call, { verb: "delete" }>): object {
    const { resourceVersion = "1" } = this.#recall(target, 0).metadata;
    switch (precondition) {
      case "none":
        return {};
      case "lastRead":
        return { preconditions: { resourceVersion } };
      case "otherUid":
        return { preconditions: { uid: "another" } };
    }
  }

  #changed({ target, age, isUnconditional, fields }: Change): KubernetesObject {
    const { metadata, ...rest } = this.#recall(target, age);
    const { resourceVersion, ...others } = { ...metadata, ...(fields as KubernetesObject).metadata };
    const version = isUnconditional || resourceVersion === undefined ? {} : { resourceVersion };
    return { ...rest, ...fields, metadata: { ...others, ...version } };
  }

  #recall(target: KubernetesObject, age: number): KubernetesObject {
    const remembered = this.#memory.get(identityOf(target)) ?? [];
    return remembered[Math.min(age, remembered.length - 1)] ?? target;
  }

  // Scales and metadata alone are no objects that could be written.
  #remember(result: unknown): void {
    if (!isRecord(result) || result["kind"] === "Scale" || Object.getOwnPropertySymbols(result).length > 0) return;
    if (Array.isArray(result["items"])) return;
    const object = result as unknown as KubernetesObject;
    this.#memory.set(identityOf(object), [object, ...(this.#memory.get(identityOf(object)) ?? [])]);
  }

  #normalize(value: unknown, key: string = ""): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#normalize(item));
    if (isRecord(value)) {
      const names = Object.keys(value).filter((name) => !(isListMeta(key, value) && name !== "remainingItemCount"));
      return Object.fromEntries(names.map((name) => [name, this.#normalizeField(name, value[name], value)]));
    }
    return typeof value === "string" ? value.replaceAll(TIME, "<time>") : value;
  }

  #normalizeField(name: string, value: unknown, owner: Record<string, unknown>): unknown {
    if (name === "uid" && typeof value === "string") return this.#uidOf(value);
    if (name === "resourceVersion" && typeof value === "string") return this.#versionOf(String(owner["uid"]), value);
    return this.#normalize(value, name);
  }

  #uidOf(uid: string): string {
    const known = this.#uids.get(uid) ?? `<uid ${String(this.#uids.size)}>`;
    this.#uids.set(uid, known);
    return known;
  }

  // The versions of each object are counted, since servers count the writes to all objects.
  #versionOf(uid: string, version: string): string {
    const versions = this.#versions.get(uid) ?? [];
    if (!versions.includes(version)) versions.push(version);
    this.#versions.set(uid, versions);
    return `<version ${String(versions.indexOf(version))}>`;
  }
}

/** Objects that end the events of each kind. */
export const LAST: readonly KubernetesObject[] = [ConfigMap, Deployment, Pod, Widget].map((kind) => {
  const metadata = { namespace: "default", name: "last" };
  const labels = { app: "a" };
  const containers = [{ name: "main", image: "a" }];
  switch (kind) {
    case Deployment:
      return Deployment.create({
        metadata,
        spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
      });
    case Pod:
      return Pod.create({ metadata, spec: { containers } });
    default:
      return kind.create({ metadata });
  }
});

const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu;

// The version and the page of a list are those of the whole server.
function isListMeta(key: string, value: Record<string, unknown>): boolean {
  return key === "metadata" && value["uid"] === undefined && value["name"] === undefined;
}

function keyOf({ metadata }: KubernetesObject): { readonly namespace: string; readonly name: string } {
  return { namespace: metadata.namespace ?? "", name: metadata.name ?? "" };
}

function patchOf(form: PatchForm, original: KubernetesObject, fields: object): Patch {
  switch (form) {
    case "merge":
      return patch.mergeFrom(original);
    case "lockedMerge":
      return patch.mergeFrom(original, { optimisticLock: true });
    case "strategic":
      return patch.strategicMergeFrom(original);
    case "json":
      return patch.json(
        Object.entries(fields)
          .filter(([field]) => field !== "metadata")
          .map(([field, value]) => ({ op: "replace" as const, path: `/${field}`, value: value as never })),
      );
  }
}

function describeError(error: unknown): unknown {
  if (error instanceof StatusError) return { status: describeText(JSON.stringify(error.status)) };
  if (error instanceof ScaffoldError) return { code: error.code, message: describeText(error.message) };
  throw error;
}

// kube-apiserver appends the lines in which the internal form of a Pod's spec differs, which no client can read.
const DIFFERENCE_OF_SPECS = /(?<=was previously negative\))\\n@@.*?(?=",")/gu;

// Messages contain uids and versions, too.
function describeText(text: string): string {
  return text
    .replaceAll(TIME, "<time>")
    .replaceAll(DIFFERENCE_OF_SPECS, "")
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gu, "<uid>")
    .replaceAll(/(?<=ResourceVersion in the precondition \(|ResourceVersion in record \()\d+/gu, "<version>");
}
