import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** The version of Kubernetes whose Go packages the golden cases use; see scripts/controller-gen.mjs. */
export const GOLDEN_KUBERNETES = "1.35";

/** A pair of a TypeScript and a Go package with what controller-gen makes of the latter. */
export interface GoldenCase {
  readonly name: string;
  /** The folder of the TypeScript half. */
  readonly input: string;
  readonly arguments: readonly string[];
  readonly expected: string;
  /** What is said about the TypeScript half, nothing as a rule. */
  readonly warnings: string;
}

/** Lists the golden cases of a generator. */
export function goldenCases(generator: string, defaults: readonly string[]): readonly GoldenCase[] {
  return folders(generator)
    .filter((folder) => existsSync(path.join(folder, "go")) && !isInvalid(folder) && !isDifferent(folder))
    .map((folder) => ({
      name: path.basename(folder),
      input: path.join(folder, "input"),
      arguments: argumentsOf(folder, defaults),
      expected: withoutVersion(readFileSync(path.join(folder, "expected.yaml"), "utf8")),
      warnings: warningsOf(folder),
    }));
}

/** Returns the words of a case with all checks relaxed, since controller-gen writes what no server takes, too. */
export function withRelaxedChecks(words: readonly string[], codes: readonly string[]): readonly string[] {
  const relax = `relax=${codes.join(";")}`;
  return words.map((word) => (/^crd(?=:|$)/u.test(word) ? `${word}${word.includes(":") ? "," : ":"}${relax}` : word));
}

/** Lists the folders of sources of a generator that has no twin in Go. */
export function sourceCases(
  generator: string,
  defaults: readonly string[],
): readonly Pick<GoldenCase, "name" | "input" | "arguments">[] {
  return folders(generator).map((folder) => ({
    name: path.basename(folder),
    input: path.join(folder, "input"),
    arguments: argumentsOf(folder, defaults),
  }));
}

/**
 * Lists the folders of sources that a generator must refuse, or warn of.
 *
 * What controller-gen says of the same in Go, where that can be written, is beside it in `upstream.txt`.
 */
export function invalidCases(
  generator: string,
): readonly { readonly name: string; readonly folder: string; readonly arguments: readonly string[] }[] {
  return folders(generator)
    .filter((folder) => isInvalid(folder))
    .map((folder) => ({
      name: path.basename(folder),
      folder,
      arguments: argumentsOf(folder, DEFAULTS[generator] ?? []),
    }));
}

/** A case in which this program differs from controller-gen on purpose. */
export interface DifferingCase {
  /** The row of docs/verification/generator-differences.md. */
  readonly row: string;
  readonly folder: string;
  readonly arguments: readonly string[];
  /** What controller-gen makes of the Go half, or says of it. */
  readonly upstream: string;
}

/** Lists the cases of deliberate differences; what this program makes of the TypeScript half is in `expected.txt`. */
export function differingCases(generator: string): readonly DifferingCase[] {
  return folders(generator)
    .filter((folder) => isDifferent(folder))
    .map((folder) => ({
      row: path.basename(folder).slice("differs-".length),
      folder,
      arguments: argumentsOf(folder, DEFAULTS[generator] ?? []),
      upstream: readFileSync(path.join(folder, "upstream.txt"), "utf8"),
    }));
}

/** Takes out the line that names the program and its version, the one line in which the two programs may differ. */
export function withoutVersion(yaml: string): string {
  return yaml.replaceAll(/^ {4}(?:controller-gen\.kubebuilder\.io|kubescaffold\.dev)\/version: .*\n/gmu, "");
}

const DEFAULTS: Readonly<Record<string, readonly string[]>> = {
  crd: ["crd"],
  rbac: ["rbac:roleName=manager-role"],
  webhook: ["webhook"],
};

function isInvalid(folder: string): boolean {
  return path.basename(folder).startsWith("invalid-");
}

function isDifferent(folder: string): boolean {
  return path.basename(folder).startsWith("differs-");
}

function folders(generator: string): readonly string[] {
  const golden = fileURLToPath(new URL(`../${generator}/golden`, import.meta.url));
  return readdirSync(golden).map((name) => path.join(golden, name));
}

function warningsOf(folder: string): string {
  const file = path.join(folder, "warnings.txt");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function argumentsOf(folder: string, defaults: readonly string[]): readonly string[] {
  const file = path.join(folder, "case.json");
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, "utf8")) as { arguments: readonly string[] }).arguments
    : defaults;
}
