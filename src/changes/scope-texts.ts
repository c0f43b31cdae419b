import { builtInResources } from "@kubescaffold/k8s/tables";

/** How a text is to be scoped: to the namespace, or to the cluster again. */
export interface Scope {
  readonly namespace: string;
  readonly isNamespaced: boolean;
}

/** A text with its RBAC markers scoped, and those that grant what no namespace holds. */
export interface ScopedText {
  readonly text: string;
  readonly left: readonly string[];
}

/**
 * Gives the RBAC markers of a source a namespace, or takes that namespace from them.
 *
 * Guarantees: markers that name a namespace of their own, or addresses, stay as they are; so do those of resources that only a cluster has.
 */
export function scopeMarkers(text: string, { namespace, isNamespaced }: Scope): ScopedText {
  const left: string[] = [];
  const scoped = text.replaceAll(
    /^(?<start>.*\+kubebuilder:rbac:)(?<args>.*)$/gmu,
    (line, start: string, args: string) => {
      if (!isNamespaced) return start + withoutNamespace(args, namespace);
      if (/(?:^|,)(?:namespace|urls)=/u.test(args)) return line;
      if (!isOfCluster(args)) return start + withNamespace(args, namespace);
      left.push(args.trim());
      return line;
    },
  );
  return { text: scoped, left };
}

function withNamespace(args: string, namespace: string): string {
  const groups = /(?:^|,)groups=(?:"[^"]*"|[^,\r]*)/u.exec(args);
  const end = groups === null ? -1 : groups.index + groups[0].length;
  if (end < 0) return `namespace=${namespace},${args}`;
  return `${args.slice(0, end)},namespace=${namespace}${args.slice(end)}`;
}

function withoutNamespace(args: string, namespace: string): string {
  const entry = `namespace=${namespace}`;
  const parts = args.split(",");
  const ends = /\s*$/u.exec(args)?.[0] ?? "";
  const kept = parts.filter((part) => part.trim() !== entry);
  return kept.length === parts.length ? args : kept.join(",").trimEnd() + ends;
}

// Of groups that Kubernetes has itself it is known which resources are in no namespace.
function isOfCluster(args: string): boolean {
  const [groups, resources] = [listIn(args, "groups"), listIn(args, "resources")];
  const known = builtInResources.filter(({ group }) => groups.includes(group));
  const found = resources.map((name) => known.find(({ plural }) => plural === name.split("/")[0]));
  return found.length > 0 && found.every((each) => each !== undefined && !each.namespaced);
}

function listIn(args: string, name: string): readonly string[] {
  const value =
    new RegExp(`(?:^|,)${name}=(?<value>"[^"]*"|\\{[^}]*\\}|[^,\\r]*)`, "u").exec(args)?.groups?.["value"] ?? "";
  return value
    .split(/[;,]/u)
    .map((part) => part.replaceAll(/["{}\s]/gu, ""))
    .map((part) => (name === "groups" && part === "core" ? "" : part));
}

const ENTRY = ["- name: WATCH_NAMESPACE", "  valueFrom:", "    fieldRef:", "      fieldPath: metadata.namespace"];

/**
 * Tells the manager of a manifest which namespace to watch, or no longer does; returns nothing when the manifest has no place for it, or says it in
 * words of its own.
 *
 * Guarantees: variables of others stay.
 */
export function scopeManager(text: string, { isNamespaced }: Pick<Scope, "isNamespaced">): string | undefined {
  const lines = text.split(/\r?\n/u);
  const scoped = isNamespaced ? withVariable(lines) : withoutVariable(lines);
  return scoped?.join(text.includes("\r\n") ? "\r\n" : "\n");
}

function withVariable(lines: readonly string[]): readonly string[] | undefined {
  if (lines.some((line) => line.trim() === ENTRY[0])) return lines;
  const open = lines.findIndex((line) => /^\s+env:\s*$/u.test(line));
  const several = lines.filter((line) => /^\s+env:\s*$/u.test(line)).length > 1;
  const at = open >= 0 ? open : lines.findIndex((line) => /^\s*#\s*env:\s*$/u.test(line));
  const line = lines[at];
  if (line === undefined || several) return undefined;
  const key = line.replace("#", "").trimEnd();
  const indent = /^\s*/u.exec(key)?.[0] ?? "";
  return lines.toSpliced(at, 1, key, ...ENTRY.map((each) => indent + each));
}

function withoutVariable(lines: readonly string[]): readonly string[] | undefined {
  const at = lines.findIndex((line) => line.trim() === ENTRY[0]);
  if (at < 0) return lines;
  const isWhole = ENTRY.every((each, offset) => lines[at + offset]?.trim() === each.trim());
  if (!isWhole) return undefined;
  const left = lines.toSpliced(at, ENTRY.length);
  const key = left[at - 1] ?? "";
  const isEmpty = /^\s+env:\s*$/u.test(key) && !/^\s*-/u.test(left[at] ?? "");
  return isEmpty ? left.toSpliced(at - 1, 1, `#${key}`) : left;
}
