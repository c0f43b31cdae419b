import { renderDiagnostics } from "@kubescaffold/generators/diagnostics";

import type { Terminal } from "../../command/terminal.ts";
import { withCode } from "../../output/report-error.ts";
import type { DevEvent, DevFailure, DevReporter, ManagerExited, ServerReady } from "./dev-event.ts";

/** Returns a reporter for scripts and log files: few plain lines, beside those that the manager writes itself. */
export function plainReporter(terminal: Pick<Terminal, "writeOut" | "writeError">, example: string): DevReporter {
  return {
    readsManager: false,
    report: (event) => {
      if (event.event === "server-ready") terminal.writeOut(renderServer(event, example));
      else if (event.event === "dashboard-ready") terminal.writeOut(renderDashboard(event.url));
      else terminal.writeError(renderPlain(event));
    },
    close: () => undefined,
  };
}

/** Renders the addresses of the server, and a command to start with. */
export function renderServer({ server, kubeconfig, managerUser, pods, state }: ServerReady, example: string): string {
  return [
    `API server   ${server}`,
    `kubeconfig   ${kubeconfig}`,
    `manager as   ${managerUser}`,
    `Pods         ${PODS[pods]}`,
    ...(state === undefined ? [] : [`objects      ${state.isRestored ? "restored from" : "kept in"} ${state.folder}`]),
    "",
    `Try:  ${example}`,
    "",
    "",
  ].join("\n");
}

const PODS: Readonly<Record<ServerReady["pods"], string>> = {
  simulated: "simulated: they become ready without running containers",
  none: "none: no controller creates them",
  cluster: "those of the cluster",
};

function renderDashboard(url: string): string {
  return `dashboard    ${url}\n`;
}

function renderPlain(event: DevEvent): string {
  switch (event.event) {
    case "manager-exited":
      return `the manager ${renderExit(event)}; the next change restarts it\n`;
    case "diagnostics":
      return event.diagnostics.length === 0 ? "" : `${renderDiagnostics(event.diagnostics)}\n`;
    case "error":
      return renderFailure(event);
    case "note":
      return `${event.text}\n`;
    default:
      return "";
  }
}

/** Renders the end of a manager that exited by itself or was killed. */
export function renderExit({ status, signal }: ManagerExited): string {
  return signal === undefined ? `exited with status ${String(status)}` : `was killed by ${signal}`;
}

/** Renders an error with its code and hint. */
export function renderFailure({ code, message, hint }: DevFailure): string {
  const lines = [
    code === undefined ? `error: internal error: this is a bug\n${message}` : `error: ${withCode(message, code)}`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ];
  return `${lines.join("\n")}\n`;
}
