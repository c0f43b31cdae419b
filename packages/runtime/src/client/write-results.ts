import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

import { callController, loggerFromContext } from "../log/call-scope.ts";
import { clientWriteMetrics, type ClientWriteMetrics } from "../metrics/client-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import { differingFields } from "./semantic.ts";

/** A write that the server accepted. */
export interface AcceptedWrite {
  readonly kind: GroupVersionKind;
  readonly isCreate: boolean;
  /** Whether the sent object contains only the fields that its writer owns. */
  readonly isApply: boolean;
  readonly subresource: string | undefined;
  /** The object as the caller wishes it; undefined for bodies of other kinds. */
  readonly sent: ReadonlyObject | undefined;
  readonly stored: unknown;
}

const MOST_FIELDS = 10;
const MOST_MESSAGES = 1000;
const MOST_VERSIONS = 5000;

/**
 * Counts the writes of a client by their result, and logs which fields of a write that changed nothing the server stores otherwise, once for each kind and
 * fields: the next reconcile would send them again.
 */
export class WriteResults {
  readonly #metrics: ClientWriteMetrics;
  readonly #logged = new Set<string>();
  // A server counts the versions of all objects together, so that a write which returns one of an earlier write has changed nothing.
  #versions = new Set<string>();
  #olderVersions = new Set<string>();

  constructor(registry: MetricsRegistry | undefined) {
    this.#metrics = clientWriteMetrics(registry);
  }

  /** Reports whether the server stores after a write what it stored before. */
  isUnchanged({ isCreate, isApply, sent, stored }: AcceptedWrite): boolean {
    const version = versionIn(stored);
    if (isCreate || version === "") return false;
    return this.#isKnown(version) || (!isApply && sent?.metadata?.resourceVersion === version);
  }

  /** Records a write. */
  record(write: AcceptedWrite): void {
    const isUnchanged = this.isUnchanged(write);
    const result = write.isCreate ? "created" : isUnchanged ? "unchanged" : "updated";
    this.#metrics.writes.with({ controller: callController() ?? "", kind: write.kind.kind, result }).value += 1;
    if (isUnchanged && !write.isApply) this.#report(write);
    this.#remember(versionIn(write.stored));
  }

  #isKnown(version: string): boolean {
    return this.#versions.has(version) || this.#olderVersions.has(version);
  }

  // Half of the versions go at once: to take the first one out of a set again and again costs a search each time.
  #remember(version: string): void {
    if (version === "" || this.#isKnown(version)) return;
    this.#versions.add(version);
    if (this.#versions.size < MOST_VERSIONS) return;
    this.#olderVersions = this.#versions;
    this.#versions = new Set();
  }

  #report({ kind, subresource, sent, stored }: AcceptedWrite): void {
    // An object without a version may be a part of the whole.
    if (sent?.metadata?.resourceVersion === undefined || !isRecord(stored)) return;
    const fields =
      subresource === undefined
        ? differingFields(
            { ...sent, metadata: withoutVersion(sent.metadata) },
            { ...stored, metadata: withoutVersion(stored["metadata"]) },
            { most: MOST_FIELDS },
          )
        : differingFields(partOf(sent, subresource), partOf(stored, subresource), { most: MOST_FIELDS });
    if (fields.length === 0 || !this.#isNew(`${kind.group}/${kind.version} ${kind.kind} ${fields.join(" ")}`)) return;
    const { namespace = "", name = "" } = sent.metadata;
    loggerFromContext().info("a write changed nothing, and each reconcile repeats it: the server stores other values", {
      object: `${kind.kind} ${namespace === "" ? "" : `${namespace}/`}${name}`,
      fields,
      hint: "set these fields to the values that the server stores, such as its defaults, or change only the fields around them",
    });
  }

  #isNew(message: string): boolean {
    if (this.#logged.has(message) || this.#logged.size >= MOST_MESSAGES) return false;
    this.#logged.add(message);
    return true;
  }
}

/** Reports whether the server stored nothing new: it completed what was sent to what it had stored. */
export function isSameVersion(before: ReadonlyObject, stored: ReadonlyObject): boolean {
  const { resourceVersion = "" } = stored.metadata ?? {};
  return resourceVersion !== "" && resourceVersion === before.metadata?.resourceVersion;
}

function versionIn(stored: unknown): string {
  const metadata = isRecord(stored) && isRecord(stored["metadata"]) ? stored["metadata"] : {};
  return typeof metadata["resourceVersion"] === "string" ? metadata["resourceVersion"] : "";
}

function withoutVersion(metadata: unknown): Readonly<Record<string, unknown>> {
  const { resourceVersion: _, ...others } = isRecord(metadata) ? metadata : {};
  return others;
}

// The rest of an object is not written with its status.
function partOf(object: unknown, subresource: string): Readonly<Record<string, unknown>> {
  const { apiVersion, kind, [subresource]: part } = isRecord(object) ? object : {};
  return { apiVersion, kind, [subresource]: part };
}
