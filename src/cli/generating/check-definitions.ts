import { type Diagnostic, renderDiagnostics } from "@kubescaffold/generators/diagnostics";
import { crdProblems, InvalidCrdNamesError } from "@kubescaffold/generators/importer";

import { createPlaceFinder } from "../../project/yaml-places.ts";
import type { Invocation } from "../command/command.ts";
import { shownPath } from "../session/project-folder.ts";
import type { ManifestText } from "./read-manifests.ts";

/**
 * Checks the CustomResourceDefinitions in manifests by the rules of API servers, before anything else is done with them.
 *
 * Fails: `InvalidCrdNamesError` after all problems were printed with their places.
 */
export function requireValidDefinitions(manifests: readonly ManifestText[], invocation: Invocation): void {
  const diagnostics = manifests.flatMap((each) => diagnose(each));
  if (diagnostics.length === 0) return;
  const shown = renderDiagnostics(diagnostics, (file) => shownPath(invocation, file));
  invocation.terminal.writeError(`${shown}\n`);
  throw new InvalidCrdNamesError(diagnostics.length);
}

function diagnose({ source, text, documents }: ManifestText): readonly Diagnostic[] {
  const problems = crdProblems(documents);
  if (problems.length === 0) return [];
  const placeOf = createPlaceFinder(text);
  return problems.map(({ document, field, message, hint }): Diagnostic => ({
    severity: "error",
    code: "IMPORT_INVALID_NAME",
    message,
    file: source,
    ...placeOf(document, field),
    hint,
  }));
}
