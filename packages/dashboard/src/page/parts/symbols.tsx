import type { JSX } from "preact";

import type { Readiness } from "../state/readiness.ts";

/** A tone: what a color says. Each has a shape as well, so that nothing depends on colors alone. */
export type Tone = "good" | "busy" | "bad" | "neutral" | "gone";

const SHAPES: Readonly<Record<Tone, JSX.Element>> = {
  good: <circle cx="5" cy="5" r="4" />,
  busy: (
    <>
      <circle cx="5" cy="5" r="3.600" class="hollow" />
      <path d="M5 1.400a3.600 3.600 0 0 0 0 7.200z" />
    </>
  ),
  bad: <path d="M5 .6 9.600 9.200H.4z" />,
  neutral: <circle cx="5" cy="5" r="3.300" class="hollow" />,
  gone: <path d="M1.800 1.800l6.400 6.400M8.200 1.800 1.800 8.200" class="hollow" />,
};

const TONES: Readonly<Record<Readiness, Tone>> = {
  ready: "good",
  progressing: "busy",
  failed: "bad",
  deleting: "gone",
  none: "neutral",
};

const TITLES: Readonly<Record<Readiness, string>> = {
  ready: "Ready",
  progressing: "Not ready",
  failed: "Failed",
  deleting: "Deleting",
  none: "No status",
};

/** The symbol of a tone. Text beside it has to say the same, or `title`. */
export function Symbol({ tone, title }: { readonly tone: Tone; readonly title?: string }): JSX.Element {
  const label = title === undefined ? { "aria-hidden": true } : { role: "img" as const, "aria-label": title };
  return (
    <svg class={`symbol tone-${tone}`} viewBox="0 0 10 10" width="10" height="10" {...label}>
      {title === undefined ? null : <title>{title}</title>}
      {SHAPES[tone]}
    </svg>
  );
}

/** The symbol of the health of an object. */
export function ReadinessSymbol({ readiness }: { readonly readiness: Readiness }): JSX.Element {
  return <Symbol tone={TONES[readiness]} title={TITLES[readiness]} />;
}

/** Returns the tone of the health of an object. */
export function toneOf(readiness: Readiness): Tone {
  return TONES[readiness];
}
