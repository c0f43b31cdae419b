import { apiVersionOf, type GroupVersionKind } from "@kubescaffold/k8s";
import type { BuiltInApi } from "@kubescaffold/k8s/schemas";

import { isInRange } from "../release/minor-range.ts";
import { otherKinds } from "./other-kinds.ts";

/** Reports whether kube-apiserver, whose API is given, knows a kind, which it may serve or not, where it expects another one. */
export function isRegistered(gvk: GroupVersionKind, expected: GroupVersionKind, api: BuiltInApi): boolean {
  if (isGeneralKind(gvk.kind)) return true;
  if (serverOf(gvk.group) !== serverOf(expected.group)) return false;
  if (api.definitionNameOf(gvk) !== undefined) return true;
  const version = apiVersionOf(gvk);
  const kinds = otherKindsOf(api.minor).get(version);
  if (OF_EACH_VERSION.has(gvk.kind))
    return kinds !== undefined || api.definitionNameOf({ ...gvk, kind: "WatchEvent" }) !== undefined;
  return kinds?.has(gvk.kind) === true;
}

type KindsByVersion = ReadonlyMap<string, ReadonlySet<string>>;

const kindsByMinor = new Map<string, KindsByVersion>();

function otherKindsOf(minor: string): KindsByVersion {
  const known = kindsByMinor.get(minor) ?? readKinds(minor);
  kindsByMinor.set(minor, known);
  return known;
}

function readKinds(minor: string): KindsByVersion {
  const lines = otherKinds.trim().split("\n");
  const versions = lines.map((line): readonly [string, ReadonlySet<string>] => {
    const [version = "", ...entries] = line.split("|");
    const kinds = entries.flatMap((entry) => {
      const [kind = "", range = ""] = entry.split(";");
      return isInRange(minor, range) ? [kind] : [];
    });
    return [version, new Set(kinds)];
  });
  return new Map(versions.filter(([, kinds]) => kinds.size > 0));
}

// kube-apiserver consists of three servers, and each knows its own kinds.
const SERVERS: ReadonlySet<string> = new Set(["apiextensions.k8s.io", "apiregistration.k8s.io"]);

function serverOf(group: string): string {
  return SERVERS.has(group) ? group : "";
}

/** Reports whether kube-apiserver knows a kind in each API version, even in those that do not exist. */
export function isGeneralKind(kind: string): boolean {
  return GENERAL.has(kind);
}

const GENERAL: ReadonlySet<string> = new Set(["Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"]);
const OF_EACH_VERSION: ReadonlySet<string> = new Set([
  "WatchEvent",
  "CreateOptions",
  "DeleteOptions",
  "GetOptions",
  "ListOptions",
  "PatchOptions",
  "UpdateOptions",
]);
