import type { JSX } from "preact";

import type { LogLine } from "../feed/protocol.ts";
import { formatTime } from "../parts/format.ts";

const LEVEL_TITLES: Readonly<Record<LogLine["level"], string>> = {
  error: "Error",
  info: "Info",
  debug: "Debug",
  output: "Output",
};

/** The level of a line. */
export function LevelTag({ level }: { readonly level: LogLine["level"] }): JSX.Element {
  return <span class={`level level-${level}`}>{LEVEL_TITLES[level]}</span>;
}

/** A few lines of the log, for details. */
export function LogLines({ lines }: { readonly lines: readonly LogLine[] }): JSX.Element {
  return (
    <ol class="log-lines">
      {lines.map((line, index) => (
        <li key={index}>
          <span class="mono muted">{formatTime(line.at)}</span> <LevelTag level={line.level} /> {line.message}
          {line.error === undefined ? null : <span class="problem"> {line.error}</span>}
          {line.hint === undefined ? null : <span class="hint"> hint: {line.hint}</span>}
        </li>
      ))}
    </ol>
  );
}
