import type { JSX } from "preact";
import { useState } from "preact/hooks";

import type { ManagerState } from "../feed/protocol.ts";
import { controlManager } from "../feed/requests.ts";
import { plural } from "../parts/format.ts";
import { Symbol, type Tone } from "../parts/symbols.tsx";
import { linkTo } from "../route/route.ts";
import { useCapability, useSelect } from "../state/hooks.ts";
import { chooseTheme, useTheme, type ThemeChoice } from "../theme/theme.ts";

const MANAGER: Readonly<Record<ManagerState["state"], { readonly title: string; readonly tone: Tone }>> = {
  starting: { title: "Manager starting", tone: "busy" },
  ready: { title: "Manager ready", tone: "good" },
  paused: { title: "Manager paused", tone: "busy" },
  exited: { title: "Manager exited", tone: "bad" },
  stopped: { title: "Manager stopped", tone: "neutral" },
};

const CONNECTION = {
  open: { title: "Live", tone: "good" },
  connecting: { title: "Connecting", tone: "busy" },
  lost: { title: "Reconnecting", tone: "bad" },
} as const;

const THEMES: readonly ThemeChoice[] = ["system", "light", "dark"];

/** The header: project, manager, findings, connection, theme, help. */
export function Header({ onHelp }: { readonly onHelp: () => void }): JSX.Element {
  const hello = useSelect((state) => state.hello);
  const connection = useSelect((state) => state.connection);
  const { title, tone } = CONNECTION[connection.kind];
  return (
    <header class="header">
      <p class="project">
        <strong>{hello?.project ?? "Kubescaffold"}</strong>
        {hello === undefined ? null : (
          <span class="muted" title={hello.server}>
            {hello.mode === "dev" ? "dev cluster" : "cluster"} · {hello.serverVersion}
          </span>
        )}
      </p>
      {hello?.mode === "cluster" ? (
        <span class="tag" title="The page changes nothing in the cluster">
          read-only
        </span>
      ) : null}
      <ManagerStatus />
      <Findings />
      <span class="spacer" />
      <span class="status" role="status">
        <Symbol tone={tone} /> {title}
      </span>
      <ThemeField />
      <button type="button" class="button quiet" onClick={onHelp} aria-keyshortcuts="?">
        Help <kbd>?</kbd>
      </button>
    </header>
  );
}

function ManagerStatus(): JSX.Element | null {
  const manager = useSelect((state) => state.manager);
  const canRestart = useCapability("restart");
  const [failure, setFailure] = useState("");
  if (manager === undefined) return null;
  const { title, tone } = MANAGER[manager.state];
  const restart = (): void => {
    setFailure("");
    controlManager({ action: "restart" }).catch((error: unknown) => setFailure(String(error)));
  };
  return (
    <span
      class="status"
      title={[manager.detail, manager.pid === undefined ? "" : `process ${String(manager.pid)}`]
        .filter(Boolean)
        .join(" · ")}
    >
      <Symbol tone={tone} /> {title}
      {canRestart ? (
        <button type="button" class="button small quiet" disabled={manager.state === "starting"} onClick={restart}>
          Restart
        </button>
      ) : null}
      {failure === "" ? null : (
        <span class="problem" role="alert">
          {failure}
        </span>
      )}
    </span>
  );
}

function Findings(): JSX.Element | null {
  const project = useSelect((state) => state.project);
  if (project === undefined) return null;
  const errors = project.diagnostics.filter(({ severity }) => severity === "error").length;
  const warnings = project.diagnostics.length - errors;
  const parts = [errors === 0 ? "" : plural(errors, "error"), warnings === 0 ? "" : plural(warnings, "warning")];
  const text = parts.filter(Boolean).join(", ");
  return (
    <a class="status" href={linkTo("findings")} title="Findings of the generators and of the type checker">
      <Symbol tone={errors > 0 ? "bad" : warnings > 0 ? "busy" : "good"} /> Sources:{" "}
      {text === "" ? "no findings" : text}
    </a>
  );
}

function ThemeField(): JSX.Element {
  const { choice } = useTheme();
  return (
    <select
      class="choice quiet"
      aria-label="Theme"
      value={choice}
      onChange={(event) => {
        const chosen = THEMES.find((each) => each === event.currentTarget.value);
        if (chosen !== undefined) chooseTheme(chosen);
      }}
    >
      <option value="system">System theme</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}
