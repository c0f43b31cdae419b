import { RELAXABLE_CODES } from "../../src/checks/relax.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { memoryHost } from "../support/memory-host.ts";
import { HEADER, type Outcome } from "./go-oracle.ts";
import type { Package } from "./package-model.ts";
import { renderTypeScript } from "./render-typescript.ts";

/** Runs our generators over the TypeScript half of a package, without touching a disk and without the checks that controller-gen has not. */
export async function runScaffold(model: Package): Promise<Outcome> {
  const lineEnd = model.seed % 10 === 3 ? "\r\n" : "\n";
  const files = Object.entries(renderTypeScript(model)).map(
    ([file, text]) => [`/project/p/${file}`, text.replaceAll("\n", lineEnd)] as const,
  );
  const { stdout, diagnostics } = await runGenerators({
    root: "/project",
    arguments: [...model.options.map((each) => withoutChecks(each)), "paths=./p/...", "output:stdout"],
    host: memoryHost({ ...Object.fromEntries(files), "/project/header.txt": HEADER }),
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return { output: stdout, errors: errors.map(({ code, message }) => `${code}: ${message}`) };
}

function withoutChecks(option: string): string {
  if (!/^crd(?::|$)/u.test(option)) return option;
  return `${option}${option.includes(":") ? "," : ":"}relax={${RELAXABLE_CODES.join(",")}}`;
}
