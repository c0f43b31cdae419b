import { messageOf } from "@kubescaffold/k8s";

import { buildKustomization } from "../kustomize/build.ts";
import { KustomizationError } from "../kustomize/errors.ts";
import type { ReadFile } from "../kustomize/kustomization.ts";

/** Something of the new project that does not work. */
interface ImportProblem {
  /** The file, with line and column or the name of the test where they are known. */
  readonly where: string;
  readonly why: string;
  readonly fix: string;
}

/** A check of the new project at the end of an import. */
export interface ImportCheck {
  readonly what: "config/default" | "packages" | "types" | "tests";
  readonly state: "passed" | "failed" | "not run";
  /** What passed, or why it was not run. */
  readonly note: string;
  readonly problems: readonly ImportProblem[];
}

const FOLDER = "config/default";
const BUILD_FIX = `fix the file; \`kubectl kustomize ${FOLDER}\` builds the same objects`;

/** Builds `config/default` of a project, as `scaffold deploy` and kubectl do. */
export function checkBuild(read: ReadFile): ImportCheck {
  if (read(`${FOLDER}/kustomization.yaml`) === undefined)
    return { what: FOLDER, state: "not run", note: "the project has no such folder", problems: [] };
  try {
    const objects = buildKustomization(read, FOLDER);
    return { what: FOLDER, state: "passed", note: `it builds ${objects.length} objects`, problems: [] };
  } catch (error) {
    const [where, why] =
      error instanceof KustomizationError ? [error.place, error.problem] : [FOLDER, messageOf(error)];
    return failed(FOLDER, [{ where, why, fix: BUILD_FIX }]);
  }
}

/** Reads what the compiler printed with `--pretty false`. */
export function readTypeErrors(output: string, status: number | undefined): ImportCheck {
  if (status === 0) return { what: "types", state: "passed", note: "they compile", problems: [] };
  const fix = "fix the file, and check it with `npm run vet`; it was generated from the manifests of the Go project";
  const problems = output.split("\n").flatMap((line): readonly ImportProblem[] => {
    const { file, row, column, why } = TYPE_ERROR.exec(line)?.groups ?? {};
    if (file !== undefined) return [{ where: `${file}:${row}:${column}`, why: why ?? "", fix }];
    return line.startsWith("error ") ? [{ where: "tsconfig.json", why: line, fix }] : [];
  });
  const unread = { where: "tsc --noEmit", why: output.trim() || `it exited with status ${String(status)}`, fix };
  return failed("types", problems.length === 0 ? [unread] : problems);
}

const TYPE_ERROR = /^(?<file>[^(]+)\((?<row>\d+),(?<column>\d+)\): (?<why>error .*)$/u;

/** Reads the report of vitest in JSON, which may follow the output of tests. */
export function readTestReport(
  output: string,
  { status, relative }: { readonly status: number | undefined; readonly relative: (file: string) => string },
): ImportCheck {
  const report = reportIn(output);
  const fix = (file: string): string => `run \`npx vitest run ${file}\`, then fix the test or the code that it tests`;
  const problems = (report?.testResults ?? []).flatMap(({ name, message, status: ended, assertionResults }) => {
    const file = relative(name);
    const failures = assertionResults.filter((each) => each.status === "failed");
    if (failures.length === 0)
      return ended === "failed" ? [{ where: file, why: firstLine(message ?? "") || HOOK, fix: fix(file) }] : [];
    return failures.map(({ fullName, failureMessages }) => ({
      where: `${file} > ${fullName}`,
      why: firstLine(failureMessages?.[0] ?? ""),
      fix: fix(file),
    }));
  });
  if (problems.length > 0) return failed("tests", problems);
  const { numPassedTests = 0, numPendingTests = 0 } = report ?? {};
  const note = `${numPassedTests} pass${numPendingTests === 0 ? "" : `, ${numPendingTests} skipped`}`;
  if (status === 0 && report !== undefined) return { what: "tests", state: "passed", note, problems: [] };
  const why = `vitest exited with status ${String(status)}: ${firstLine(output) || "it printed nothing"}`;
  return failed("tests", [{ where: "vitest run", why, fix: "run `npm test`, which prints the reason" }]);
}

// The report has no errors of hooks.
const HOOK = "a hook, such as beforeAll, failed or took too long, so its tests did not run";

interface TestReport {
  readonly numPassedTests?: number;
  readonly numPendingTests?: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

function reportIn(output: string): TestReport | undefined {
  const line = output.split("\n").findLast((each) => each.startsWith('{"numTotalTestSuites"'));
  if (line === undefined) return undefined;
  try {
    return JSON.parse(line) as TestReport;
  } catch {
    return undefined;
  }
}

function firstLine(text: string): string {
  return (
    text
      .split("\n")
      .map((line) => line.trim())
      .find((line) => line !== "") ?? ""
  );
}

function failed(what: ImportCheck["what"], problems: readonly ImportProblem[]): ImportCheck {
  return { what, state: "failed", note: "", problems };
}

// A cause that is in many places says enough in some of them.
const MOST_LISTED = 10;

/** Returns the lines that report a check. */
export function checkLines({ what, state, note, problems }: ImportCheck): readonly string[] {
  if (state !== "failed") return [`${what}: ${state === "passed" ? note : `not run, since ${note}`}`];
  const listed = problems.slice(0, MOST_LISTED);
  const more = problems.length - listed.length;
  return [
    `${what}: ${problems.length === 1 ? "1 problem" : `${problems.length} problems`}`,
    ...listed.flatMap(({ where, why, fix }, index) => [
      `  ${where}: ${why}`,
      ...(listed[index + 1]?.fix === fix ? [] : [`    fix: ${fix}`]),
    ]),
    ...(more === 0 ? [] : [`  and ${more} more`]),
  ];
}
