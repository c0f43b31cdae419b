import path from "node:path";
import process from "node:process";

import type { LogLine } from "@kubescaffold/dashboard";
import type { ClusterDashboard, ClusterDashboardOptions } from "@kubescaffold/dashboard/cluster";

import type { FlagValues } from "../../../plugin/flag.ts";
import type { ProjectConfig } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { namespaceOf, selectorOf } from "../../flags/cluster-flags.ts";
import { listFlag, switchFlag, textFlag } from "../../flags/flag-values.ts";
import { portOf } from "../../flags/port-flag.ts";
import { interruption } from "../../generating/interruption.ts";
import { PrivateBrowser } from "../../programs/open-in-browser.ts";
import { readProject } from "../../session/project-session.ts";
import { logLineOf } from "../dev/log-line.ts";
import { parseLogLine } from "../dev/manager-log.ts";
import { ownResources } from "../dev/own-resources.ts";
import { readKeys } from "../dev/terminal-keys.ts";

/** Runs until it is interrupted. */
export async function runDashboard(invocation: Invocation): Promise<number> {
  const { terminal } = invocation;
  const port = portOf(textFlag(invocation.flags, "port") ?? "0", "port");
  const project = await readProject(invocation);
  const dashboard = await start(invocation, project, port);
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
    if (terminal.isInteractive && switchFlag(invocation.flags, "open") !== false) await open();
    await untilEnd(invocation, open);
  } finally {
    await dashboard.close();
    await browser.close();
  }
  return 0;
}

async function start(invocation: Invocation, project: ProjectConfig, port: number): Promise<ClusterDashboard> {
  const { flags, cwd } = invocation;
  const { startClusterDashboard } = await import("@kubescaffold/dashboard/cluster");
  const kubeconfig = textFlag(flags, "kubeconfig");
  return await startClusterDashboard({
    project: project.projectName ?? path.basename(cwd),
    projectDirectory: cwd,
    resources: ownResources(project),
    ...(kubeconfig === undefined ? {} : { kubeconfig: path.resolve(cwd, kubeconfig) }),
    ...given("context", textFlag(flags, "context")),
    ...scopeOf(flags),
    metricsToken: textFlag(flags, "metrics-token") === "kubeconfig" ? "kubeconfig" : "manager",
    port,
    readLogLine,
  });
}

// A wrong name would be one of which there are no objects.
function scopeOf(flags: FlagValues): Pick<ClusterDashboardOptions, "namespace" | "selector" | "watchNamespaces"> {
  const namespace = textFlag(flags, "namespace");
  const selector = textFlag(flags, "selector");
  return {
    ...(namespace === undefined ? {} : { namespace: namespaceOf(namespace, "namespace") }),
    ...(selector === undefined ? {} : { selector: selectorOf(selector, "selector") }),
    watchNamespaces: listFlag(flags, "watch-namespace").map((each) => namespaceOf(each, "watch-namespace")),
  };
}

function given<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
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
