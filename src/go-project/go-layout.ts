import { isGoModule } from "../project/name-rules.ts";
import type { ProjectConfig } from "../project/project-config.ts";

/** The layout of a Go project. */
export interface GoLayout {
  /** The key in PROJECT. */
  readonly key: string;
  readonly major: 2 | 3 | 4;
}

/** The layouts that can be imported, for messages. */
export const ACCEPTED_LAYOUTS: readonly string[] = [
  "go.kubebuilder.io/v2",
  "go.kubebuilder.io/v3",
  "go.kubebuilder.io/v4",
];

const GO_LAYOUT = /^(?:base\.)?go(?:\.kubebuilder\.io)?\/v(?<major>[234])(?:-alpha|-beta)?$/u;
const KUSTOMIZE_LAYOUT = /^kustomize(?:\.common\.kubebuilder\.io)?\/v[12](?:-alpha|-beta)?$/u;

/** Returns the layout of a Go project, or nothing for any other project. PROJECT versions 1 and 2 have no key: their layout is v2. */
export function goLayoutOf({
  layout,
  repo,
  version,
}: Pick<ProjectConfig, "layout" | "repo" | "version">): GoLayout | undefined {
  if (layout.length === 0 && (version === "1" || version === "2")) return { key: "go.kubebuilder.io/v2", major: 2 };
  // Edited by hand: the module tells the language.
  if (layout.length === 0 && repo !== undefined && isGoModule(repo)) return { key: "go.kubebuilder.io/v3", major: 3 };
  for (const key of layout) {
    const major = Number(GO_LAYOUT.exec(key)?.groups?.["major"]);
    if (major === 2 || major === 3 || major === 4) return { key, major };
  }
  return undefined;
}

/** Reports whether a key of `layout` needs no note: the new project has the same. */
export function isKnownLayoutKey(key: string): boolean {
  return GO_LAYOUT.test(key) || KUSTOMIZE_LAYOUT.test(key);
}
