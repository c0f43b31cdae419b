import { rbacMarkerFor } from "@kubescaffold/k8s";

import type { LogEntry } from "./manager-log.ts";

/** A permission that the manager lacks. */
export interface MissingPermission {
  /** The marker that grants it, without comment characters. */
  readonly marker: string;
  /** The controller whose reconcile needs it, if the log names one. */
  readonly controller?: string;
  /** The kind whose informer needs it, if the log names one. */
  readonly kind?: string;
  /** The namespace of the request; missing for requests for all namespaces. */
  readonly namespace?: string;
}

/** Returns the permission that the error of a log entry names, if it is that of a forbidden request. */
export function missingPermissionIn({ error = "", controller, fields }: LogEntry): MissingPermission | undefined {
  const marker = error.includes("is forbidden") ? rbacMarkerFor(error) : undefined;
  if (marker === undefined) return undefined;
  const namespace = /\bin the namespace "(?<namespace>[a-z0-9-]+)"/u.exec(error)?.groups?.["namespace"];
  const kind = /\bKind=(?<kind>\w+)$/u.exec(typeof fields["kind"] === "string" ? fields["kind"] : "")?.groups?.["kind"];
  return {
    marker,
    ...(controller === undefined ? {} : { controller }),
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** Where a marker goes, or the reason why that is not known. */
export type Placement =
  | { readonly kind: "edit"; readonly path: string; readonly text: string }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * Adds the marker of a permission below the last RBAC marker of the controller that needs it.
 *
 * `sources` are the texts of the project's sources by their paths. It is refused when several controllers could need the permission, or when their markers
 * are limited to a namespace that the request is not limited to.
 */
export function placeMarker(missing: MissingPermission, sources: ReadonlyMap<string, string>): Placement {
  const candidates = [...sources].flatMap(([path, text]) => markedSource(path, text) ?? []);
  if (candidates.length === 0) return refused("no source has +kubebuilder:rbac markers");
  const found = responsible(missing, candidates);
  const [chosen, ...others] = found;
  if (chosen === undefined || others.length > 0) {
    const files = (found.length === 0 ? candidates : found).map(({ path }) => path).join(", ");
    return refused(`the log does not name the controller that needs it: ${files}`);
  }
  return insertMarker(missing, chosen);
}

interface MarkedSource {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  /** The index of the last line with a marker. */
  readonly last: number;
}

const MARKER_LINE = /^(?<start>\s*(?:\/\/|\*)\s*)\+kubebuilder:rbac:(?<args>\S.*)$/u;

function markedSource(path: string, text: string): MarkedSource | undefined {
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => MARKER_LINE.test(line));
  return last === -1 ? undefined : { path, text, lines, last };
}

function responsible(
  { controller, kind }: MissingPermission,
  candidates: readonly MarkedSource[],
): readonly MarkedSource[] {
  if (candidates.length === 1) return candidates;
  if (controller !== undefined) {
    const named = candidates.filter(({ text }) =>
      QUOTES.some((quote) => text.includes(`.named(${quote}${controller}${quote})`)),
    );
    if (named.length > 0) return named;
    return candidates.filter(({ path }) => path.endsWith(`/${controller}_controller.ts`));
  }
  return kind === undefined ? [] : candidates.filter(({ text }) => text.split(/\W+/u).includes(kind));
}

const QUOTES = ['"', "'"];

function insertMarker({ marker, namespace }: MissingPermission, { path, lines, last }: MarkedSource): Placement {
  const { start = "", args = "" } = MARKER_LINE.exec(lines[last] ?? "")?.groups ?? {};
  const scope = /(?:^|,)namespace=(?<namespace>[^,]*)/u.exec(args)?.groups?.["namespace"];
  const isUrl = marker.includes("rbac:urls=");
  if (scope !== undefined && !isUrl && scope !== namespace) {
    const wanted = namespace === undefined ? "all namespaces" : `the namespace ${namespace}`;
    return refused(`the markers in ${path} are limited to the namespace ${scope}, and the request was for ${wanted}`);
  }
  const complete = scope === undefined || isUrl ? marker : `${marker},namespace=${scope}`;
  // In a block comment, `*/` would end it.
  const line = `${start}${start.trimStart().startsWith("*") ? complete.replaceAll("*/", String.raw`*\/`) : complete}`;
  if (lines.some((each) => each.trim() === line.trim())) {
    return refused(`${path} has the marker: the manifests are not up to date, or the rule does not apply`);
  }
  return { kind: "edit", path, text: [...lines.slice(0, last + 1), line, ...lines.slice(last + 1)].join("\n") };
}

function refused(reason: string): Placement {
  return { kind: "refused", reason };
}
