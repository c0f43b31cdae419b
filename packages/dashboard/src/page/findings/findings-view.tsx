import type { JSX } from "preact";

import type { ProjectDiagnostic } from "../feed/protocol.ts";
import { CopyButton } from "../parts/controls.tsx";
import { Symbol } from "../parts/symbols.tsx";
import { Nothing } from "../parts/text.tsx";
import { useSelect } from "../state/hooks.ts";

/** The findings of the generators and of the type checker in the sources of the project. */
export function FindingsView(): JSX.Element {
  const project = useSelect((state) => state.project);
  const diagnostics = project?.diagnostics ?? [];
  return (
    <div class="view scrolls">
      <div class="prose">
        {diagnostics.length === 0 ? <Nothing>The generators and the type checker have no findings.</Nothing> : null}
        <ul class="findings">
          {diagnostics.map((diagnostic) => (
            <Finding key={placeOf(diagnostic) + diagnostic.message} diagnostic={diagnostic} />
          ))}
        </ul>
      </div>
    </div>
  );
}

function Finding({ diagnostic }: { readonly diagnostic: ProjectDiagnostic }): JSX.Element {
  const { severity, message, code, source, hint } = diagnostic;
  const place = placeOf(diagnostic);
  return (
    <li class={`finding is-${severity}`}>
      <p class="finding-place">
        <Symbol tone={severity === "error" ? "bad" : "busy"} title={severity === "error" ? "Error" : "Warning"} />
        <code>{place}</code>
        <span class="muted">
          {source === "types" ? "type checker" : "generators"} · {code}
        </span>
        <CopyButton text={place} label="Copy location" />
      </p>
      <p>{message}</p>
      {hint === undefined ? null : <p class="hint">hint: {hint}</p>}
    </li>
  );
}

function placeOf({ file, line, column }: ProjectDiagnostic): string {
  return `${file}:${String(line)}:${String(column)}`;
}
