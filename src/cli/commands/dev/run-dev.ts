import path from "node:path";
import process from "node:process";

import type { ManagerFaults } from "@kubescaffold/dashboard/development";

import { acquireLock } from "../../../machinery/commit/project-lock.ts";
import { requireNoLinks } from "../../../machinery/commit/project-paths.ts";
import { realDisk } from "../../../machinery/disk.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import { interruption } from "../../generating/interruption.ts";
import { SOURCE_FOLDERS, type SourceWatch, watchSources } from "../../generating/watch-sources.ts";
import { Screen } from "../../output/screen.ts";
import { textStyle } from "../../output/text-style.ts";
import { requireDependencies } from "../../programs/require-dependencies.ts";
import { commandLine } from "../../prompts/prompt-for-missing.ts";
import { readProject } from "../../session/project-session.ts";
import { type DevCluster, startDevCluster, STATE_DIRECTORY } from "./dev-cluster.ts";
import { DevControls } from "./dev-controls.ts";
import { DevDashboard } from "./dev-dashboard.ts";
import type { DevEvent, DevReporter } from "./dev-event.ts";
import type { DevOptions } from "./dev-options.ts";
import { type DevRun, DevSession, failureOf, writeManifests } from "./dev-session.ts";
import { FaultSwitches } from "./fault-switches.ts";
import { STRUCTURED_LOG } from "./manager-log.ts";
import { ManagerProcess } from "./manager-process.ts";
import { ownResources } from "./own-resources.ts";
import { jsonReporter } from "./report-json.ts";
import { plainReporter } from "./report-plain.ts";
import { TerminalReporter } from "./report-terminal.ts";
import { readKeys } from "./terminal-keys.ts";
import { findCompiler, TypeChecker } from "./type-checker.ts";

/**
 * Runs until it is interrupted; an error in the sources is reported and waits for the next change.
 *
 * Other commands may work in the project meanwhile, but no second one of this kind: both would write the same kubeconfig.
 */
export async function runDev(options: DevOptions, invocation: Invocation): Promise<number> {
  const reporter = new ObservedReporter(reporterFor(invocation, options));
  const run = { invocation: reportingInvocation(invocation, reporter), options, reporter };
  const watch = options.watches
    ? watchSources(invocation.cwd, SOURCE_FOLDERS, [path.join(invocation.cwd, PROJECT_FILE)])
    : undefined;
  try {
    // What changes from here on, or while the server starts, is generated again.
    await watch?.ready;
    const project = await readProject(run.invocation);
    requireNamespaced(options, project);
    await writeManifests(run);
    return await runAlone({ ...run, project }, { watch, terminal: invocation.terminal });
  } catch (error) {
    if (options.output !== "json") throw error;
    reporter.report(failureOf(error, invocation));
    return 1;
  } finally {
    await watch?.close();
    reporter.close();
  }
}

function requireNamespaced({ namespace }: DevOptions, { namespaced = false }: ProjectConfig): void {
  if (namespace === undefined || namespaced) return;
  throw new InvalidFlagError("cannot use --namespace: the manager of this project watches all namespaces", {
    hint: "omit the flag, or run `scaffold edit --namespaced` first",
  });
}

/** Passes events on, also to parts of the command that react to them. */
class ObservedReporter implements DevReporter {
  readonly target: DevReporter;
  readonly observers: Set<(event: DevEvent) => void> = new Set();

  constructor(target: DevReporter) {
    this.target = target;
  }

  get readsManager(): boolean {
    return this.target.readsManager;
  }

  report(event: DevEvent): void {
    this.target.report(event);
    for (const observe of this.observers) observe(event);
  }

  close(): void {
    this.target.close();
  }
}

function reporterFor(invocation: Invocation, { output, isVerbose }: DevOptions): DevReporter {
  const { terminal, cwd } = invocation;
  if (output === "json") return jsonReporter(terminal);
  const example = exampleFor(invocation);
  if (output === "plain") return plainReporter(terminal, example);
  const screen = new Screen(terminal.conversation?.output ?? process.stdout);
  return new TerminalReporter({
    screen,
    style: textStyle(),
    root: cwd,
    isVerbose,
    example,
    program: invocation.program,
  });
}

function exampleFor({ startedIn, cwd }: Invocation): string {
  const fromUser = (file: string): string => path.relative(startedIn ?? cwd, path.join(cwd, file));
  const kubeconfig = fromUser(path.join(STATE_DIRECTORY, "kubeconfig"));
  return commandLine(["kubectl", "--kubeconfig", kubeconfig, "apply", "-k", fromUser(path.join("config", "samples"))]);
}

// Everything that the steps print is an event, so that it is no line between those of JSON, and not in the footer.
function reportingInvocation(invocation: Invocation, reporter: DevReporter): Invocation {
  if (!reporter.readsManager) return invocation;
  const note = (text: string): void => reporter.report({ event: "note", text: text.replace(/\n$/u, "") });
  return { ...invocation, terminal: { isInteractive: false, writeOut: note, writeError: note } };
}

// The files with credentials: a link would take them elsewhere, or let them replace what it leads to.
const STATE_FILES = [
  "kubeconfig",
  "manager.kubeconfig",
  "manager.token",
  "webhook-certs/tls.crt",
  "webhook-certs/tls.key",
  "state",
].map((file) => `${STATE_DIRECTORY}/${file}`);

interface ObservedRun extends DevRun {
  readonly reporter: ObservedReporter;
  /** The project as it is when the command starts. */
  readonly project: ProjectConfig;
}

/** What a run reads: changes and keys. */
interface DevInputs {
  readonly watch: SourceWatch | undefined;
  readonly terminal: Invocation["terminal"];
}

async function runAlone(run: ObservedRun, inputs: DevInputs): Promise<number> {
  const { cwd, typed } = run.invocation;
  const lock = await acquireLock({ root: cwd, command: typed, name: "dev-lock" });
  try {
    for (const file of STATE_FILES) await requireNoLinks(realDisk, cwd, file);
    requireDependencies(cwd);
    return await runCluster(run, inputs);
  } finally {
    await lock.release();
  }
}

async function runCluster(run: ObservedRun, inputs: DevInputs): Promise<number> {
  const { invocation, options, reporter } = run;
  const cluster = await startDevCluster(run, inputs.terminal);
  const faults = cluster.faultsOf?.(process.platform === "win32" ? undefined : pause);
  const dashboard = options.dashboardPort === undefined ? undefined : dashboardFor(run, cluster, faults);
  const manager = new ManagerProcess({
    cwd: invocation.cwd,
    nodeArguments: options.inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${String(options.inspectPort)}`],
    managerArguments: [...managerArguments(cluster, reporter), ...options.managerArguments],
    // PROJECT may have changed since the last start.
    env: async () => ({ ...watched(run, cluster, await readProject(invocation)), ...cluster.env }),
    reporter,
    receive: dashboard === undefined ? undefined : (message) => dashboard.receive(message),
  });
  function pause(isPaused: boolean): void {
    manager.pause(isPaused);
    dashboard?.managerPaused(isPaused);
  }
  const checker = startChecker(run);
  try {
    reporter.report(cluster.ready);
    const session = new DevSession(run, cluster, manager);
    await dashboard?.start(() => session.restart());
    await manager.start();
    await runUntilInterrupted(run, {
      ...inputs,
      session,
      dashboard,
      faults: faults === undefined ? undefined : reportedFaults(run, faults),
    });
  } finally {
    await Promise.all([manager.stop(), checker.stop()]);
    await dashboard?.close();
    await cluster.stop();
  }
  return 0;
}

// Notes tell of the faults of the page, too.
function reportedFaults({ reporter }: ObservedRun, faults: ManagerFaults): FaultSwitches {
  const switches = new FaultSwitches(faults);
  switches.observe((text) => reporter.report({ event: "note", text }));
  reporter.observers.add(({ event }) => {
    if (event === "manager-started" || event === "manager-exited") faults.managerEnded();
  });
  return switches;
}

function managerArguments(
  { managerKubeconfigPath, webhooks, servesFiles }: DevCluster,
  { readsManager }: DevReporter,
): readonly string[] {
  return [
    `--kubeconfig=${managerKubeconfigPath}`,
    "--health-probe-bind-address=0",
    "--metrics-bind-address=0",
    ...(webhooks === undefined
      ? []
      : [
          "--webhook-host=127.0.0.1",
          `--webhook-port=${String(webhooks.port)}`,
          ...(servesFiles ? [`--webhook-cert-path=${webhooks.certDirectory}`] : []),
        ]),
    ...(readsManager ? STRUCTURED_LOG : []),
  ];
}

// The page has the name and the namespaces that the project had when the command started.
function dashboardFor(run: ObservedRun, cluster: DevCluster, faults: ManagerFaults | undefined): DevDashboard {
  const { project, invocation } = run;
  const { WATCH_NAMESPACE: namespace = "" } = watched(run, cluster, project);
  return new DevDashboard({
    run,
    projectName: project.projectName ?? path.basename(invocation.cwd),
    // PROJECT may change during the run.
    resources: async () => ownResources(await readProject(invocation)),
    watchNamespaces: namespace === "" ? [] : [namespace],
    cluster,
    faults,
  });
}

// As config/manager does in a cluster. A manager of one namespace watches only those in WATCH_NAMESPACE.
function watched(
  { options }: DevRun,
  { namespace }: DevCluster,
  project: ProjectConfig,
): { readonly WATCH_NAMESPACE?: string } {
  requireNamespaced(options, project);
  const isSet = options.namespace === undefined && (process.env["WATCH_NAMESPACE"] ?? "") !== "";
  return project.namespaced === true && !isSet ? { WATCH_NAMESPACE: namespace } : {};
}

// The type checker would compete with the first start of the manager.
function startChecker({ invocation, options, reporter }: ObservedRun): { readonly stop: () => Promise<void> } {
  const { cwd: root } = invocation;
  const compiler = options.checksTypes ? findCompiler(root) : undefined;
  let checker: TypeChecker | undefined;
  const start = (event: DevEvent): void => {
    if (event.event !== "manager-ready" && event.event !== "manager-exited") return;
    reporter.observers.delete(start);
    if (compiler === undefined) return;
    checker = new TypeChecker(compiler, {
      root,
      stateFile: path.join(root, STATE_DIRECTORY, "types.tsbuildinfo"),
      report: (diagnostics) => reporter.report({ event: "diagnostics", source: "types", diagnostics }),
      fail: (reason) => reporter.report({ event: "note", text: `the type checker failed: ${reason}` }),
    });
  };
  reporter.observers.add(start);
  return {
    stop: async () => {
      reporter.observers.delete(start);
      await checker?.stop();
    },
  };
}

interface Running extends DevInputs {
  readonly session: DevSession;
  readonly dashboard: DevDashboard | undefined;
  readonly faults: FaultSwitches | undefined;
}

async function runUntilInterrupted(run: ObservedRun, running: Running): Promise<void> {
  const { watch, session } = running;
  const { target } = run.reporter;
  const interrupted = interruption();
  watch?.begin((files) => session.renew(files));
  let endKeys = (): void => undefined;
  const quit = new Promise<void>((resolve) => {
    if (target instanceof TerminalReporter) endKeys = startControls(run, { ...running, target, quit: resolve });
  });
  try {
    await Promise.race([interrupted, quit]);
  } finally {
    // A second Ctrl-C reaches the manager, too, as without keys.
    endKeys();
    if (target instanceof TerminalReporter) target.stopping();
  }
  await watch?.close();
  await session.end();
}

interface ControlParts extends Running {
  readonly target: TerminalReporter;
  readonly quit: () => void;
}

function startControls(
  { reporter }: ObservedRun,
  { terminal, session, dashboard, faults, target, quit }: ControlParts,
): () => void {
  const controls = new DevControls({
    reporter: target,
    style: textStyle(),
    faults,
    restart: () => session.restart(),
    addPermissions: (missing) => session.addPermissions(missing),
    openDashboard: dashboard?.open,
    quit,
  });
  const observe = (event: DevEvent): void => controls.observe(event);
  const output = terminal.conversation?.output ?? process.stdout;
  const resize = (): void => target.redraw();
  const endFaults = faults?.observe(() => controls.faultsChanged());
  reporter.observers.add(observe);
  output.on("resize", resize);
  const endKeys = readKeys(terminal.conversation?.input ?? process.stdin, (key) => controls.press(key), {
    interrupt: quit,
  });
  return () => {
    endKeys();
    endFaults?.();
    output.off("resize", resize);
    reporter.observers.delete(observe);
  };
}
