import { renderDuration } from "./render-log.ts";

/** What a change of sources led to, up to now. */
export interface Change {
  /** The sources, as paths relative to the project. */
  readonly files: readonly string[];
  /** The generated files that were written. */
  readonly generated: readonly string[];
  /** The time of generation and installation, once they are installed. */
  readonly applyMs: number | undefined;
  readonly generateMs: number;
}

/** Returns a change before anything was done. */
export function newChange(files: readonly string[]): Change {
  return { files, generated: [], applyMs: undefined, generateMs: 0 };
}

/** Renders a change on one line: `api/v1/guestbook_types.ts changed: CRD applied (0.3 s), manager restarted (0.7 s)`. */
export function renderChange({ files, generated, generateMs, applyMs }: Change, outcome: string): string {
  const applied = appliedParts(generated);
  const steps =
    applied.length === 0 || applyMs === undefined
      ? []
      : [`${listed(applied)} applied (${renderDuration(generateMs + applyMs)})`];
  return `${renderFiles(files)} changed: ${[...steps, outcome].join(", ")}`;
}

function renderFiles(files: readonly string[]): string {
  const [first = "sources", second, ...others] = files;
  if (second === undefined) return first;
  return others.length === 0 ? `${first} and ${second}` : `${first} and ${String(others.length + 1)} other files`;
}

function appliedParts(files: readonly string[]): readonly string[] {
  const below = (folder: string): number => files.filter((file) => file.startsWith(`config/${folder}/`)).length;
  const crds = below("crd");
  return [
    ...(crds === 0 ? [] : [crds === 1 ? "CRD" : `${String(crds)} CRDs`]),
    ...(below("rbac") === 0 ? [] : ["roles"]),
    ...(below("webhook") === 0 ? [] : ["webhooks"]),
  ];
}

function listed(parts: readonly string[]): string {
  if (parts.length < 3) return parts.join(" and ");
  return `${parts.slice(0, -1).join(", ")}, and ${parts.at(-1) ?? ""}`;
}
