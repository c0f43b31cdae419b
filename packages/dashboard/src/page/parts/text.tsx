import type { DiffLine } from "@kubescaffold/platform";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

import { useNow } from "../state/hooks.ts";
import { formatAge, formatDateTime } from "./format.ts";
import { highlightYamlLine } from "./highlight-yaml.ts";

/** Above this, lines are not colored: thousands of elements cost more than colors are worth. */
const LARGEST_COLORED = 1500;

/** A text of YAML with line numbers and colors. */
export function YamlText({ text, label }: { readonly text: string; readonly label: string }): JSX.Element {
  const lines = useMemo(() => text.trimEnd().split("\n"), [text]);
  const isColored = lines.length <= LARGEST_COLORED;
  return (
    <pre class="code" tabIndex={0} role="region" aria-label={label}>
      {isColored ? lines.map((line, index) => <YamlLine key={index} line={line} />) : text}
    </pre>
  );
}

function YamlLine({ line }: { readonly line: string }): JSX.Element {
  return (
    <span class="code-line">
      {highlightYamlLine(line).map(({ kind, text }, index) =>
        kind === "plain" ? (
          text
        ) : (
          <span key={index} class={`yaml-${kind}`}>
            {text}
          </span>
        ),
      )}
      {"\n"}
    </span>
  );
}

const DIFF_MARKS: Readonly<Record<DiffLine["kind"], string>> = { same: " ", added: "+", removed: "−", gap: "⋯" };

/** The lines of a diff. Marks as well as colors tell what was added and removed. */
export function DiffText({
  lines,
  label,
}: {
  readonly lines: readonly DiffLine[];
  readonly label: string;
}): JSX.Element {
  return (
    <pre class="code diff" tabIndex={0} role="region" aria-label={label}>
      {lines.map(({ kind, text }, index) => (
        <span key={index} class={`code-line diff-${kind}`}>
          <span class="diff-mark">{DIFF_MARKS[kind]}</span>
          {kind === "gap" ? text : ` ${text}`}
          {"\n"}
        </span>
      ))}
    </pre>
  );
}

/** The age of something, which goes on. */
export function Age({ at }: { readonly at: number }): JSX.Element {
  const now = useNow();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      // Printing the time in the language of the user takes longer than the rest of a row.
      onPointerEnter={({ currentTarget }) => {
        currentTarget.title = formatDateTime(at);
      }}
    >
      {formatAge(now - at)}
    </time>
  );
}

/** A line in place of content that is absent. */
export function Nothing({ children }: { readonly children: JSX.Element | string }): JSX.Element {
  return <p class="nothing">{children}</p>;
}
