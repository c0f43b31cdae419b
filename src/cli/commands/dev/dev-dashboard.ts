import type { Dashboard } from "@kubescaffold/dashboard";
import type { ManagerFaults } from "@kubescaffold/dashboard/development";
import type { PrintedDiagnostic } from "@kubescaffold/generators/diagnostics";

import type { Invocation } from "../../command/command.ts";
import { PrivateBrowser } from "../../programs/open-in-browser.ts";
import type { DashboardPage, DevCluster } from "./dev-cluster.ts";
import type { DevEvent, DevReporter, Diagnostics } from "./dev-event.ts";
import type { DevOptions } from "./dev-options.ts";
import { failureOf } from "./dev-session.ts";
import { logLineOf } from "./log-line.ts";
import { renderExit } from "./report-plain.ts";

/** What a dashboard needs of a run. */
export interface DashboardParts {
  readonly run: {
    readonly invocation: Invocation;
    readonly options: DevOptions;
    readonly reporter: DevReporter & { readonly observers: Set<(event: DevEvent) => void> };
  };
  readonly projectName: string;
  readonly resources: DashboardPage["resources"];
  readonly cluster: Pick<DevCluster, "serveDashboard">;
  /** The namespaces that the manager watches; none for all. */
  readonly watchNamespaces: readonly string[];
  readonly faults: ManagerFaults | undefined;
}

type Message = Parameters<Dashboard["publish"]>[0];

/** The dashboard of a run, which shows what it reports. */
export class DevDashboard {
  readonly #parts: DashboardParts;
  readonly #findings: Record<Diagnostics["source"], readonly PrintedDiagnostic[]> = { generators: [], types: [] };
  readonly #observe = (event: DevEvent): void => this.#show(event);
  readonly #browser = new PrivateBrowser();
  #dashboard: Dashboard | undefined;
  #pid: number | undefined;

  constructor(parts: DashboardParts) {
    this.#parts = parts;
  }

  /** Serves the dashboard and reports its address, or why there is none: the rest works without it. */
  async start(restart: () => Promise<void>): Promise<void> {
    const { run, cluster, projectName, resources, watchNamespaces, faults } = this.#parts;
    const { reporter, invocation, options } = run;
    try {
      this.#dashboard = await cluster.serveDashboard({
        project: projectName,
        projectDirectory: invocation.cwd,
        resources,
        watchNamespaces,
        port: options.dashboardPort ?? 0,
        restart,
        faults,
      });
      reporter.observers.add(this.#observe);
      this.#publishFindings();
      reporter.report({ event: "dashboard-ready", url: this.#dashboard.address });
    } catch (error) {
      reporter.report(failureOf(error, invocation));
      reporter.report({ event: "note", text: "running without the dashboard" });
    }
  }

  /** Shows what the process of the manager observes. */
  receive(message: unknown): void {
    this.#dashboard?.receive(message);
  }

  /** Opens the page in the user's browser. */
  readonly open = async (): Promise<void> => {
    const { reporter } = this.#parts.run;
    const url = this.#dashboard?.newAddress();
    if (url === undefined) reporter.report({ event: "note", text: "there is no dashboard in this run" });
    else if (!(await this.#browser.open(url)))
      reporter.report({ event: "note", text: `open this address in a browser: ${url}` });
  };

  async close(): Promise<void> {
    this.#parts.run.reporter.observers.delete(this.#observe);
    await this.#dashboard?.close();
    await this.#browser.close();
  }

  /** Shows that the process of the manager was stopped, or continued. */
  managerPaused(isPaused: boolean): void {
    this.#publish({ type: "manager", at: Date.now(), state: isPaused ? "paused" : "ready", ...this.#process() });
  }

  #show(event: DevEvent): void {
    switch (event.event) {
      case "manager-started":
        this.#dashboard?.managerEnded();
        this.#dashboard?.managerStarted();
        this.#pid = event.pid;
        this.#publish({ type: "manager", at: Date.now(), state: "starting", ...this.#process() });
        return;
      case "manager-ready":
        this.#publish({ type: "manager", at: Date.now(), state: "ready", ...this.#process() });
        return;
      case "manager-exited":
        this.#dashboard?.managerEnded();
        this.#publish({
          type: "manager",
          at: Date.now(),
          state: "exited",
          detail: renderExit(event),
        });
        return;
      case "log":
        this.#publish(logLineOf(event));
        return;
      case "output":
        this.#publish({ type: "log", at: Date.now(), level: "output", logger: "", message: event.text });
        return;
      case "diagnostics":
        this.#findings[event.source] = event.diagnostics;
        this.#publishFindings();
        return;
      default:
    }
  }

  #publishFindings(): void {
    const diagnostics = (["generators", "types"] as const).flatMap((source) =>
      this.#findings[source].map((each) => ({ source, ...each })),
    );
    this.#publish({ type: "project", diagnostics });
  }

  #process(): { readonly pid?: number } {
    return this.#pid === undefined ? {} : { pid: this.#pid };
  }

  #publish(message: Message): void {
    this.#dashboard?.publish(message);
  }
}
