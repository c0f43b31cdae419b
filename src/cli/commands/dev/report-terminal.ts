import { type PrintedDiagnostic, renderDiagnostics } from "@kubescaffold/generators/diagnostics";

import { renderMore } from "../../output/report-error.ts";
import type { Callers } from "../../output/report-outcome.ts";
import type { Screen } from "../../output/screen.ts";
import type { TextStyle } from "../../output/text-style.ts";
import { type Change, newChange, renderChange } from "./change-summary.ts";
import type { DevEvent, DevFailure, DevReporter, Diagnostics, ServerReady } from "./dev-event.ts";
import { isShown, SHOWN_LEVELS, type ShownLevel } from "./manager-log.ts";
import { type LogStyle, renderDuration, renderEntry, renderStackLine } from "./render-log.ts";
import { renderExit, renderFailure, renderServer } from "./report-plain.ts";

/** What a terminal shows with. */
export interface TerminalOptions extends LogStyle {
  readonly screen: Screen;
  /** The command to start with. */
  readonly example: string;
  readonly program: Callers;
}

/** Shows events at a terminal: one line each, above the findings in the sources and the state of the manager. */
export class TerminalReporter implements DevReporter {
  readonly readsManager = true;
  readonly #options: TerminalOptions;
  readonly #style: TextStyle;
  readonly #findings: Record<Diagnostics["source"], readonly PrintedDiagnostic[]> = { generators: [], types: [] };
  #level: ShownLevel = "debug";
  #state: "starting" | "running" | "exited" | "stopping" = "starting";
  #change: Change | undefined;
  #hasStarted = false;
  #inspectorHost = "";
  #failure: DevFailure | undefined;
  #notices: readonly string[] = [];
  #menu: readonly string[] | undefined;

  constructor(options: TerminalOptions) {
    this.#options = options;
    this.#style = options.style;
  }

  report(event: DevEvent): void {
    this.#options.screen.write(this.#render(event));
    this.#drawFooter();
  }

  /** Shows the next level of the log. */
  cycleLevel(): void {
    this.#level = SHOWN_LEVELS[(SHOWN_LEVELS.indexOf(this.#level) + 1) % SHOWN_LEVELS.length] ?? "debug";
    this.#drawFooter();
  }

  /** Sets lines that stay in view, such as missing permissions. */
  setNotices(lines: readonly string[]): void {
    this.#notices = lines;
    this.#drawFooter();
  }

  /** Shows choices in place of the state of the manager, or the state again. */
  setMenu(lines: readonly string[] | undefined): void {
    this.#menu = lines;
    this.#drawFooter();
  }

  /** Clears what was printed; findings and state stay. */
  clear(): void {
    this.#options.screen.clear();
  }

  /** Draws the footer for another size of the terminal. */
  redraw(): void {
    this.#drawFooter();
  }

  /** Shows that everything is being stopped. */
  stopping(): void {
    this.#state = "stopping";
    this.#drawFooter();
  }

  close(): void {
    this.#options.screen.close();
  }

  #render(event: DevEvent): string {
    switch (event.event) {
      case "server-ready":
        return this.#renderServer(event);
      case "dashboard-ready":
        return `${this.#style.bold("dashboard")}    ${event.url}  ${this.#style.dim("(press o to open it)")}`;
      case "sources-changed":
        this.#failure = undefined;
        this.#change = nextChange(this.#change, event);
        return "";
      case "manifests-generated":
      case "manifests-applied":
        this.#change = nextChange(this.#change, event);
        return "";
      case "manager-started":
        this.#state = "starting";
        return "";
      case "debugger-ready":
        return this.#renderDebugger(event.url);
      case "manager-ready":
        return this.#renderReady(event.durationMs);
      case "manager-exited":
        this.#state = "exited";
        return this.#endChange(
          this.#style.red(`manager ${renderExit(event)}; the next change restarts it, and so does r`),
        );
      case "log":
        return isShown(event, this.#level) ? renderEntry(event, this.#options) : "";
      case "output":
        return renderStackLine(event.text, this.#options) ?? "";
      case "diagnostics":
        return this.#renderDiagnostics(event);
      case "error":
        this.#change = undefined;
        // The findings themselves stay in view.
        if (event.code === "CLI_GENERATE_FAILED") return "";
        this.#failure = event;
        return this.#renderFailure(event);
      case "note":
        return event.text;
    }
  }

  #renderServer(event: ServerReady): string {
    const bold = (text: string): string =>
      text.replaceAll(/^(?:API server|kubeconfig|manager as|Pods|Try:)/gmu, this.#style.bold);
    return bold(renderServer(event, this.#options.example));
  }

  #renderFailure(event: DevFailure): string {
    const more = event.code === undefined ? "" : renderMore(event.code, this.#options.program);
    return `${renderFailure(event).replace(/^error:/u, this.#style.red("error:"))}${more}`;
  }

  // Every process has another path there, and debuggers connect to the address.
  #renderDebugger(url: string): string {
    const { host } = new URL(url);
    if (host === this.#inspectorHost) return "";
    this.#inspectorHost = host;
    return `${this.#style.dim("›")} debugger on ${this.#style.bold(host)}: attach your editor, or open chrome://inspect`;
  }

  #renderReady(durationMs: number): string {
    this.#state = "running";
    this.#failure = undefined;
    const outcome = `manager ${this.#hasStarted ? "restarted" : "started"} (${renderDuration(durationMs)})`;
    this.#hasStarted = true;
    return this.#endChange(outcome);
  }

  #endChange(outcome: string): string {
    const change = this.#change;
    this.#change = undefined;
    const text = change === undefined ? outcome : renderChange(change, outcome);
    return `${this.#style.dim("›")} ${text}`;
  }

  #renderDiagnostics({ source, diagnostics }: Diagnostics): string {
    const before = new Set(this.#findings[source].map((each) => JSON.stringify(each)));
    this.#findings[source] = diagnostics;
    if (source === "types") return "";
    return renderDiagnostics(diagnostics.filter((each) => !before.has(JSON.stringify(each))));
  }

  #drawFooter(): void {
    const blocks = [...this.#findingLines(), ...this.#failureLines(), ...this.#notices];
    const status = this.#menu ?? [this.#statusLine()];
    this.#options.screen.setFooter(["", ...blocks, ...status]);
  }

  #statusLine(): string {
    const { dim, green, yellow, red } = this.#style;
    const paint = { starting: yellow, running: green, exited: red, stopping: yellow }[this.#state];
    return `${paint("●")} manager ${this.#state} ${dim(`· log: ${this.#level} · ? for keys`)}`;
  }

  #failureLines(): readonly string[] {
    if (this.#failure === undefined) return [];
    const { code, message } = this.#failure;
    const place = code === undefined ? "" : `${this.#style.dim(code)} `;
    return [this.#style.red("the last step failed"), `  ${place}${message.split("\n", 1)[0] ?? ""}`];
  }

  #findingLines(): readonly string[] {
    const { generators, types } = this.#findings;
    const errors = generators.filter(({ severity }) => severity === "error").length;
    const warnings = generators.length - errors;
    const titles = {
      generators:
        errors === 0
          ? this.#style.yellow(count(warnings, "generator warning"))
          : this.#style.red(`${count(errors, "generator error")}: the manager still runs the previous version`),
      types: this.#style.red(count(types.length, "type error")),
    };
    return [...this.#block(titles.generators, generators), ...this.#block(titles.types, types)];
  }

  #block(title: string, findings: readonly PrintedDiagnostic[]): readonly string[] {
    if (findings.length === 0) return [];
    const room = Math.max(2, Math.floor(this.#options.screen.rows / 3));
    const shown = findings.slice(0, room).map((each) => this.#renderFinding(each));
    const more = findings.length - shown.length;
    return [title, ...shown, ...(more > 0 ? [this.#style.dim(`  and ${String(more)} more`)] : [])];
  }

  #renderFinding({ file, line, column, code, message }: PrintedDiagnostic): string {
    const place = file === "" ? "" : line === 0 ? `${file} ` : `${file}:${String(line)}:${String(column)} `;
    return `  ${this.#style.cyan(place)}${this.#style.dim(code)} ${message.split("\n", 1)[0] ?? ""}`;
  }
}

function nextChange(
  change: Change | undefined,
  event: Extract<DevEvent, { readonly event: "sources-changed" | "manifests-generated" | "manifests-applied" }>,
): Change | undefined {
  if (event.event === "sources-changed") return newChange(event.files);
  if (change === undefined) return undefined;
  return event.event === "manifests-generated"
    ? { ...change, generated: event.files, generateMs: event.durationMs }
    : { ...change, applyMs: event.durationMs };
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? "" : "s"}`;
}
