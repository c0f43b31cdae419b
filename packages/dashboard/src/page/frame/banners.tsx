import type { JSX } from "preact";

import { lastError } from "../logs/last-error.ts";
import { CopyButton } from "../parts/controls.tsx";
import { Symbol } from "../parts/symbols.tsx";
import { linkTo } from "../route/route.ts";
import { useSelect } from "../state/hooks.ts";

/** Says that the connection is lost, and that what is shown is old. */
export function ConnectionBanner(): JSX.Element | null {
  const connection = useSelect((state) => state.connection);
  if (connection.kind !== "lost") return null;
  return (
    <div class="banner is-bad" role="alert">
      <Symbol tone="bad" />{" "}
      {connection.isRefused
        ? "The session has ended. Open the address that the terminal prints."
        : "The connection is lost, and what you see is old. The page reconnects by itself."}
    </div>
  );
}

/** Says which faults are on, in every view. */
export function FaultBanner(): JSX.Element | null {
  const faults = useSelect((state) => state.faults);
  const on = [...faults.values()].filter(({ isOn }) => isOn);
  if (on.length === 0) return null;
  return (
    <div class="banner is-busy" role="status">
      <Symbol tone="busy" /> {on.length === 1 ? "A fault is on" : `${String(on.length)} faults are on`}:{" "}
      {on.map(({ title }) => title).join(", ")}. <a href={linkTo("faults")}>Faults</a>
    </div>
  );
}

/** Says that the manager has ended, and why. */
export function ManagerBanner(): JSX.Element | null {
  const manager = useSelect((state) => state.manager);
  const logs = useSelect((state) => state.logs);
  if (manager?.state !== "exited") return null;
  const error = lastError(logs.map(({ line }) => line));
  return (
    <div class="banner is-bad" role="alert">
      <Symbol tone="bad" /> The manager has exited{manager.detail === undefined ? "" : `: ${manager.detail}`}.{" "}
      <a href={linkTo("logs")}>Events and logs</a>
      {error === "" ? null : (
        <pre class="code error" tabIndex={0} role="region" aria-label="Error of the manager">
          {error}
        </pre>
      )}
    </div>
  );
}

/** Says what cannot be shown, why, and what to do; each problem has its place in one list. */
export function ProblemBanner(): JSX.Element | null {
  const problems = useSelect((state) => state.problems);
  if (problems.length === 0) return null;
  return (
    <ul class="banner problems is-busy" aria-label="What cannot be shown">
      {problems.map(({ source, message, hint, commands = [] }) => (
        <li key={`${source} ${message}`}>
          <Symbol tone="busy" /> <strong>{source}</strong>: {message}
          {hint === undefined ? null : <span class="problem-hint">{hint}</span>}
          {commands.map((command) => (
            <span key={command} class="marker">
              <code>{command}</code>
              <CopyButton text={command} />
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
