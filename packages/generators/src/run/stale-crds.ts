import path from "node:path";

import { parseGeneratorArguments } from "../arguments/parse-arguments.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { createDiskHost, type SourceHost } from "../loader/source-host.ts";

/** A generated CRD whose kind no source of the run defines. */
export interface StaleCrd {
  /** Relative to the root with forward slashes, or absolute. */
  readonly path: string;
  /** The name of the definition. */
  readonly name: string;
  /** Whether this program made it, and not controller-gen. */
  readonly isOurs: boolean;
}

/** The run whose outdated CRDs are searched. */
export interface FindStaleCrdsOptions {
  /** The folder that relative paths start from. */
  readonly root: string;
  /** The words of the run. */
  readonly arguments: readonly string[];
  /** The paths of all files that the run makes. */
  readonly generated: readonly string[];
  /** The disk to read from, the real one by default. */
  readonly host?: SourceHost;
}

/** Finds CRDs in the output folder of the generator `crd` that a run over a whole tree of sources no longer makes. */
export function findStaleCrds(options: FindStaleCrdsOptions): readonly StaleCrd[] {
  const { root, generated, host = createDiskHost() } = options;
  const { generators, paths } = parseGeneratorArguments(options.arguments);
  const output = generators.find((each) => each.name === "crd")?.output;
  // A run over single folders knows nothing of the kinds of others.
  if (output === undefined || !paths.some((each) => each === "..." || each.endsWith("/..."))) return [];
  if (output.kind !== "artifacts" && output.kind !== "directory") return [];
  const folder = (output.kind === "artifacts" ? output.config : output.path).split(path.sep).join("/");
  const made = new Set(generated.map((each) => path.resolve(root, each)));
  return (host.listDirectory(path.resolve(root, folder)) ?? [])
    .filter(({ kind, name }) => kind === "file" && /\.ya?ml$/u.test(name))
    .map(({ name }) => path.posix.join(folder, name))
    .filter((file) => !made.has(path.resolve(root, file)))
    .flatMap((file) => staleCrd(file, host.readFile(path.resolve(root, file)) ?? ""));
}

/** Says that a generated CRD is stale, and what to do about it. */
export function warnStaleCrd({ path: file, name, isOurs }: StaleCrd): Diagnostic {
  return {
    severity: "warning",
    code: "GENERATE_STALE_CRD",
    message: `the CRD ${name} was generated, but its type no longer exists`,
    file,
    line: 0,
    column: 0,
    hint: isOurs ? "pass --prune to delete the file" : "delete the file, which controller-gen generated",
  };
}

const OURS = /^ {4}kubescaffold\.dev\/version:/mu;
const UPSTREAMS = /^ {4}controller-gen\.kubebuilder\.io\/version:/mu;

function staleCrd(file: string, text: string): readonly StaleCrd[] {
  if (!/^kind: CustomResourceDefinition\r?$/mu.test(text)) return [];
  const isOurs = OURS.test(text);
  if (!isOurs && !UPSTREAMS.test(text)) return [];
  const name = /^ {2}name: (?<name>\S+)/mu.exec(text)?.groups?.["name"] ?? path.posix.basename(file);
  return [{ path: file, name, isOurs }];
}
