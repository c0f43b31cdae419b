import { asList, asRecord } from "@kubescaffold/platform";

import type { ObjectCondition, ObjectOwner, ObjectSummary } from "../contract/protocol.ts";

/** The names of a kind that an object does not contain. */
export interface SummaryKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Returns the parts of an object that trees and lists show. */
export function summaryOf(object: object, { apiVersion, kind, resource }: SummaryKind): ObjectSummary {
  const { metadata, ...fields } = object as Fields;
  const meta = asRecord(metadata);
  const status = asRecord(fields["status"]);
  const finalizers = asList(meta["finalizers"]).filter((each) => typeof each === "string");
  const owners = asList(meta["ownerReferences"]).map(asRecord).map(ownerOf);
  const conditions = asList(status["conditions"]).map(asRecord).map(conditionOf);
  const phase = phaseOf(kind, fields, status);
  return {
    uid: textOf(meta["uid"]),
    apiVersion,
    kind,
    resource,
    namespace: textOf(meta["namespace"]),
    name: textOf(meta["name"]),
    resourceVersion: textOf(meta["resourceVersion"]),
    createdAt: timeOf(meta["creationTimestamp"]) ?? 0,
    ...optional("generation", typeof meta["generation"] === "number" ? meta["generation"] : undefined),
    ...optional("deletedAt", timeOf(meta["deletionTimestamp"])),
    ...(finalizers.length === 0 ? {} : { finalizers }),
    ...(owners.length === 0 ? {} : { owners }),
    ...(conditions.length === 0 ? {} : { conditions }),
    ...optional("phase", phase),
  };
}

function ownerOf(owner: Fields): ObjectOwner {
  return {
    uid: textOf(owner["uid"]),
    kind: textOf(owner["kind"]),
    name: textOf(owner["name"]),
    isController: owner["controller"] === true,
  };
}

function conditionOf(condition: Fields): ObjectCondition {
  return {
    type: textOf(condition["type"]),
    status: textOf(condition["status"]),
    ...optional("reason", textOf(condition["reason"]) || undefined),
    ...optional("message", textOf(condition["message"]) || undefined),
  };
}

// What kubectl prints in the columns READY, COMPLETIONS, and STATUS.
function phaseOf(kind: string, fields: Fields, status: Fields): string | undefined {
  const spec = asRecord(fields["spec"]);
  const count = (value: unknown): string => (typeof value === "number" ? String(value) : "0");
  switch (kind) {
    case "Deployment":
    case "StatefulSet":
      return `${count(status["readyReplicas"])}/${typeof spec["replicas"] === "number" ? String(spec["replicas"]) : "1"}`;
    case "ReplicaSet":
      return `${count(status["readyReplicas"])}/${count(spec["replicas"])}`;
    case "DaemonSet":
      return `${count(status["numberReady"])}/${count(status["desiredNumberScheduled"])}`;
    case "Job":
      return `${count(status["succeeded"])}/${typeof spec["completions"] === "number" ? String(spec["completions"]) : "1"}`;
    case "Service":
      return textOf(spec["type"]) || undefined;
    case "Lease":
      return textOf(spec["holderIdentity"]) || undefined;
    default:
      return textOf(status["phase"]) || undefined;
  }
}

function timeOf(value: unknown): number | undefined {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}
