import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";

import type { KindInfo, WriteResult } from "../feed/protocol.ts";
import { applyObject } from "../feed/requests.ts";
import { plural } from "../parts/format.ts";
import { Symbol } from "../parts/symbols.tsx";
import { Nothing } from "../parts/text.tsx";
import { linkTo } from "../route/route.ts";
import { objectKey } from "../state/object-entry.ts";
import { parseField, pathKey, problemsByPath } from "./field-problems.ts";
import { FormContext, ObjectFields } from "./form-field.tsx";
import { formSchemaOf, type FieldPath, type FormSchema } from "./form-schema.ts";
import { refusalOf, useDryRun, type DryRun } from "./use-dry-run.ts";
import { parseText, removeFromText, setInText, valueAt, type ParsedText } from "./yaml-document.ts";

interface EditorProps {
  readonly kind: KindInfo;
  readonly initialText: string;
  readonly isNew: boolean;
  readonly choices: JSX.Element;
}

/** A form beside YAML. The text is the only source: the form edits it in place, and comments stay. */
export function Editor({ kind, initialText, isNew, choices }: EditorProps): JSX.Element {
  const [text, setText] = useState(initialText);
  const [written, setWritten] = useState<WriteResult>();
  const [isWriting, setWriting] = useState(false);
  const parsed = useMemo(() => parseText(text), [text]);
  const dryRun = useDryRun(text, parsed.kind === "object");
  const refusal = written?.kind === "refused" ? written : refusalOf(dryRun);
  const change = (next: string): void => {
    setText(next);
    setWritten(undefined);
  };
  const apply = async (): Promise<void> => {
    setWriting(true);
    try {
      setWritten(await applyObject({ text, isDryRun: false }));
    } catch (error) {
      setWritten({ kind: "refused", message: error instanceof Error ? error.message : String(error), causes: [] });
    } finally {
      setWriting(false);
    }
  };
  return (
    <div class="view">
      <div class="toolbar">
        {choices}
        <span class="spacer" />
        <DryRunStatus dryRun={dryRun} parsed={parsed} />
        <button
          type="button"
          class="button primary"
          disabled={isWriting || parsed.kind !== "object"}
          onClick={() => void apply()}
        >
          {isNew ? "Create" : "Apply"}
        </button>
      </div>
      {written?.kind === "written" ? <Written result={written} parsed={parsed} kind={kind} /> : null}
      {refusal === undefined ? null : <ProblemList message={refusal.message} causes={refusal.causes} />}
      <div class="editor">
        <FormPane kind={kind} text={text} parsed={parsed} onText={change} problems={refusal?.causes ?? []} />
        <section class="editor-text" aria-label="YAML">
          <textarea
            class="code-input"
            aria-label="YAML of the object"
            spellcheck={false}
            autocomplete="off"
            wrap="off"
            aria-invalid={parsed.kind === "invalid"}
            value={text}
            onInput={(event) => change(event.currentTarget.value)}
          />
          {parsed.kind === "invalid" ? (
            <p class="problem" role="alert">{`Line ${String(parsed.line)}: ${parsed.message}`}</p>
          ) : null}
        </section>
      </div>
    </div>
  );
}

function FormPane({
  kind,
  text,
  parsed,
  onText,
  problems,
}: {
  readonly kind: KindInfo;
  readonly text: string;
  readonly parsed: ParsedText;
  readonly onText: (text: string) => void;
  readonly problems: Parameters<typeof problemsByPath>[0];
}): JSX.Element {
  const schema = useMemo(
    () => (kind.schema === undefined ? undefined : formSchemaOf(kind.schema as FormSchema, kind.isNamespaced)),
    [kind],
  );
  const byPath = useMemo(() => problemsByPath(problems), [problems]);
  const context = {
    set: (path: FieldPath, value: unknown) => onText(setInText(text, path, value)),
    remove: (path: FieldPath) => onText(removeFromText(text, path)),
    problems: byPath,
  };
  return (
    <section class="editor-form" aria-label="Form" tabIndex={0}>
      {schema === undefined ? (
        <Nothing>Forms exist for the kinds of the project. Edit the YAML of other kinds.</Nothing>
      ) : null}
      {schema !== undefined && parsed.kind === "invalid" ? (
        <Nothing>The form returns when the YAML is valid.</Nothing>
      ) : null}
      {schema !== undefined && parsed.kind === "object" ? (
        <FormContext.Provider value={context}>
          <ObjectFields schema={schema} path={[]} value={parsed.value} />
        </FormContext.Provider>
      ) : null}
    </section>
  );
}

function DryRunStatus({ dryRun, parsed }: { readonly dryRun: DryRun; readonly parsed: ParsedText }): JSX.Element {
  const text = (): JSX.Element | string => {
    if (parsed.kind === "invalid")
      return (
        <>
          <Symbol tone="bad" /> Invalid YAML
        </>
      );
    if (dryRun.kind === "failed")
      return (
        <>
          <Symbol tone="bad" /> Not validated: {dryRun.message}
        </>
      );
    const refusal = refusalOf(dryRun);
    if (refusal !== undefined)
      return (
        <>
          <Symbol tone="bad" /> {plural(Math.max(1, refusal.causes.length), "problem")}
        </>
      );
    if (dryRun.kind !== "checked") return "Validating…";
    const warnings = dryRun.result.kind === "written" ? dryRun.result.warnings : [];
    return (
      <>
        <Symbol tone={warnings.length === 0 ? "good" : "busy"} />{" "}
        {warnings.length === 0 ? "Valid" : `Valid, ${plural(warnings.length, "warning")}: ${warnings.join("; ")}`}
      </>
    );
  };
  return (
    <span class="dry-run" role="status">
      {text()}
    </span>
  );
}

function ProblemList({
  message,
  causes,
}: {
  readonly message: string;
  readonly causes: Parameters<typeof problemsByPath>[0];
}): JSX.Element {
  return (
    <div class="notice is-bad">
      {causes.length === 0 ? (
        <p>{message}</p>
      ) : (
        <ul>
          {causes.map(({ field, message: cause }, index) => (
            <li key={index}>
              <button type="button" class="link" onClick={() => focusField(field)}>
                <code>{field === "" ? "(object)" : field}</code>
              </button>{" "}
              {cause}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

// The field itself, or the nearest one around it that the form shows.
function focusField(field: string): void {
  const path = parseField(field);
  for (let length = path.length; length > 0; length -= 1) {
    const element = document.getElementById(`field-${pathKey(path.slice(0, length))}`);
    if (element === null) continue;
    element.scrollIntoView({ block: "center" });
    element.querySelector<HTMLElement>("input, select, textarea, button")?.focus();
    return;
  }
}

function Written({
  result,
  parsed,
  kind,
}: {
  readonly result: Extract<WriteResult, { readonly kind: "written" }>;
  readonly parsed: ParsedText;
  readonly kind: KindInfo;
}): JSX.Element {
  const value = parsed.kind === "object" ? parsed.value : {};
  const name = textAt(value, ["metadata", "name"], "");
  const namespace = kind.isNamespaced ? textAt(value, ["metadata", "namespace"], "default") : "";
  const key = objectKey({ apiVersion: kind.apiVersion, resource: kind.resource, namespace, name });
  return (
    <div class="notice is-good" role="status">
      <p>
        <Symbol tone="good" /> {kind.kind} <a href={linkTo("objects", { sel: key })}>{name}</a> was written.
      </p>
      {result.warnings.map((warning) => (
        <p key={warning}>Warning: {warning}</p>
      ))}
    </div>
  );
}

function textAt(value: unknown, path: FieldPath, fallback: string): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : fallback;
}
