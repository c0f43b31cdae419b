import type { TextStyle } from "../../output/text-style.ts";
import type { AddedPermission } from "./add-permissions.ts";
import type { DevEvent } from "./dev-event.ts";
import type { FaultSwitches } from "./fault-switches.ts";
import { type MissingPermission, missingPermissionIn } from "./missing-permission.ts";
import type { TerminalReporter } from "./report-terminal.ts";

/** What the keys of `scaffold dev` control. */
export interface Controlled {
  readonly reporter: Pick<TerminalReporter, "report" | "cycleLevel" | "clear" | "setMenu" | "setNotices">;
  readonly style: TextStyle;
  /** Undefined for a cluster that is not embedded. */
  readonly faults: FaultSwitches | undefined;
  readonly restart: () => Promise<void>;
  readonly addPermissions: (missing: readonly MissingPermission[]) => Promise<readonly AddedPermission[]>;
  /** Opens the dashboard in the browser; undefined without one. */
  readonly openDashboard?: (() => Promise<void>) | undefined;
  readonly quit: () => void;
}

const KEYS: readonly (readonly [key: string, help: string])[] = [
  ["r", "restart the manager"],
  ["l", "change the level of the log: error, info, debug, all"],
  ["f", "inject a fault into the requests of the manager"],
  ["a", "add the missing RBAC markers to the controllers"],
  ["o", "open the dashboard in the browser"],
  ["c", "clear the screen"],
  ["q", "quit, as Ctrl-C does"],
];

/** Obeys the keys of a terminal, and keeps faults and missing permissions in view. */
export class DevControls {
  readonly #controlled: Controlled;
  readonly #missing = new Map<string, MissingPermission>();
  #isChoosingFault = false;
  #isAdding = false;

  constructor(controlled: Controlled) {
    this.#controlled = controlled;
  }

  /** Notices missing permissions in the log of the manager; a manager that starts may have them. */
  observe(event: DevEvent): void {
    if (event.event === "manager-started" && this.#missing.size > 0) {
      this.#missing.clear();
      this.#showNotices();
    }
    const missing = event.event === "log" ? missingPermissionIn(event) : undefined;
    if (missing === undefined || this.#missing.has(missing.marker)) return;
    this.#missing.set(missing.marker, missing);
    this.#showNotices();
  }

  /** Shows which faults last, after one has begun or ended. */
  faultsChanged(): void {
    this.#showNotices();
  }

  /** Obeys a key. */
  press(key: string): void {
    if (this.#isChoosingFault) this.#chooseFault(key);
    else this.#command(key);
  }

  #command(key: string): void {
    const { reporter, restart, quit } = this.#controlled;
    switch (key) {
      case "?":
      case "h":
        this.#note(KEYS.map(([name, help]) => `  ${this.#controlled.style.bold(name)}  ${help}`).join("\n"));
        return;
      case "r":
        void restart();
        return;
      case "l":
        reporter.cycleLevel();
        return;
      case "f":
        this.#offerFaults();
        return;
      case "a":
        void this.#add();
        return;
      case "o":
        this.#open();
        return;
      case "c":
        reporter.clear();
        return;
      case "q":
        quit();
        return;
      default:
        // Users press Enter to separate lines of the log.
        if (key === "\r") this.#note(" ");
    }
  }

  #open(): void {
    const { openDashboard } = this.#controlled;
    if (openDashboard === undefined) this.#note("there is no dashboard in this run");
    else void openDashboard();
  }

  #offerFaults(): void {
    const { faults, reporter, style } = this.#controlled;
    if (faults === undefined) {
      this.#note("faults need the embedded API server: run scaffold dev without --kubeconfig");
      return;
    }
    this.#isChoosingFault = true;
    const choices = faults.choices();
    const half = Math.ceil(choices.length / 2);
    reporter.setMenu([
      `${style.yellow("fault:")} ${choices.slice(0, half).join(" · ")}`,
      `       ${choices.slice(half).join(" · ")} ${style.dim("· Esc to cancel")}`,
    ]);
  }

  #chooseFault(key: string): void {
    const { faults, reporter } = this.#controlled;
    this.#isChoosingFault = false;
    reporter.setMenu(undefined);
    faults?.press(key);
  }

  async #add(): Promise<void> {
    if (this.#isAdding) return;
    if (this.#missing.size === 0) {
      this.#note("no permission is missing: no request of this manager was forbidden");
      return;
    }
    this.#isAdding = true;
    try {
      const results = await this.#controlled.addPermissions([...this.#missing.values()]);
      for (const { missing, path, reason } of results) {
        this.#note(
          path === undefined
            ? `cannot add ${missing.marker}: ${reason ?? "unknown reason"}; add it above the reconciler that needs it`
            : `added ${missing.marker} to ${path}`,
        );
        if (path !== undefined) this.#missing.delete(missing.marker);
      }
    } finally {
      this.#isAdding = false;
      this.#showNotices();
    }
  }

  #showNotices(): void {
    const { faults, reporter, style } = this.#controlled;
    const missing = [...this.#missing.keys()].map((marker) => `${style.red("missing permission:")} ${marker}`);
    const hint =
      missing.length === 0
        ? []
        : [style.dim(`  press a to add ${missing.length === 1 ? "the marker" : "the markers"}`)];
    const active = faults?.active ?? [];
    reporter.setNotices([
      ...missing,
      ...hint,
      ...(active.length === 0 ? [] : [`${style.yellow("faults:")} ${active.join(", ")} ${style.dim("(f)")}`]),
    ]);
  }

  #note(text: string): void {
    this.#controlled.reporter.report({ event: "note", text });
  }
}
