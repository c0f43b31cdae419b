import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the dashboard cannot listen on its port.
 *
 * Fix: Stop the program that uses the port, or choose another one with `--dashboard-port` of `scaffold dev`, or `--port` of `scaffold dashboard`; 0 picks a free port.
 */
export class DashboardListenError extends ScaffoldError {
  readonly code = "ENVTEST_DASHBOARD_LISTEN";

  constructor(port: number, cause: Error) {
    super(`cannot listen on 127.0.0.1:${String(port)} for the dashboard: ${cause.message}`, {
      cause,
      hint: "choose another port with --dashboard-port of `scaffold dev`, or --port of `scaffold dashboard`; 0 picks a free port",
    });
  }
}

/**
 * Thrown when the files of the dashboard's page do not exist.
 *
 * Fix: In a checkout, run `npm run build`; published packages contain the page.
 */
export class DashboardPageMissingError extends ScaffoldError {
  readonly code = "ENVTEST_DASHBOARD_PAGE_MISSING";

  constructor() {
    super("cannot find the page of the dashboard: it was not built", { hint: "run `npm run build` in the checkout" });
  }
}
