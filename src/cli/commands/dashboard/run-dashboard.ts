import path from "node:path";
import process from "node:process";

import type { LogLine } from "@kubescaffold/dashboard";
import type { ClusterDashboard, ClusterDashboardOptions } from "@kubescaffold/dashboard/cluster";

import type { ProjectConfig } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { interruption } from "../../generating/interruption.ts";
import { PrivateBrowser } from "../../programs/open-in-browser.ts";
import { readProject } from "../../session/project-session.ts";
import { logLineOf } from "../dev/log-line.ts";
import { parseLogLine } from "../dev/manager-log.ts";
import { ownResources } from "../dev/own-resources.ts";
import { readKeys } from "../dev/terminal-keys.ts";

/** What the page shows, and where. */
export interface DashboardOptions {
  /** The port of the page; 0 for a free one. */
  readonly port: number;
  /** Whether a browser opens the page, at a terminal. */
  readonly opens: boolean;
  readonly cluster: Pick<
    ClusterDashboardOptions,
    "kubeconfig" | "context" | "namespace" | "selector" | "watchNamespaces" | "metricsToken"
  >;
}

/** Runs until it is interrupted. */
export async function runDashboard(options: DashboardOptions, invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const project = await readProject(invocation);
  const dashboard = await start(options, invocation.cwd, project);
  const browser = new PrivateBrowser();
  const open = async (): Promise<void> => {
    const url = dashboard.newAddress();
    if (!(await browser.open(url))) terminal.writeOut(`open this address in a browser: ${url}\n`);
  };
  try {
    terminal.writeOut(
      `dashboard    ${dashboard.address}${terminal.isInteractive ? "  (o opens it again, q quits)" : ""}\n`,
    );
    terminal.writeOut(`cluster      ${dashboard.server}, namespace ${dashboard.namespace}, read-only\n`);
    if (terminal.isInteractive && options.opens) await open();
    await untilEnd(invocation, open);
  } finally {
    await dashboard.close();
    await browser.close();
  }
  return 0;
}

async function start(
  { port, cluster }: DashboardOptions,
  cwd: string,
  project: ProjectConfig,
): Promise<ClusterDashboard> {
  const { startClusterDashboard } = await import("@kubescaffold/dashboard/cluster");
  return await startClusterDashboard({
    project: project.projectName ?? path.basename(cwd),
    projectDirectory: cwd,
    resources: ownResources(project),
    ...cluster,
    port,
    readLogLine,
  });
}

function readLogLine(text: string): LogLine | undefined {
  const entry = parseLogLine(text);
  return entry === undefined ? undefined : logLineOf(entry);
}

async function untilEnd({ terminal }: Invocation, open: () => Promise<void>): Promise<void> {
  const interrupted = interruption();
  if (!terminal.isInteractive) {
    await interrupted;
    return;
  }
  let endKeys = (): void => undefined;
  const quit = new Promise<void>((resolve) => {
    endKeys = readKeys(
      terminal.conversation?.input ?? process.stdin,
      (key) => {
        if (key === "q") resolve();
        if (key === "o") void open();
      },
      { interrupt: resolve },
    );
  });
  try {
    await Promise.race([interrupted, quit]);
  } finally {
    endKeys();
  }
}
