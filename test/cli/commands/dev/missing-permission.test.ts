import { describe, expect, it } from "vitest";

import type { LogEntry } from "../../../../src/cli/commands/dev/manager-log.ts";
import {
  type MissingPermission,
  missingPermissionIn,
  placeMarker,
} from "../../../../src/cli/commands/dev/missing-permission.ts";

const FORBIDDEN =
  'secrets is forbidden: User "system:serviceaccount:a:b" cannot list resource "secrets" in API group "" at the cluster scope';

function entry(changes: Partial<LogEntry>): LogEntry {
  return { level: "error", verbosity: 0, ts: "", logger: "", message: "reconciler error", fields: {}, ...changes };
}

describe("the permission that an entry names", () => {
  it("has a marker, and the controller or the kind of the informer", () => {
    const marker = '+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch';
    expect(missingPermissionIn(entry({ error: FORBIDDEN, controller: "guestbook" }))).toEqual({
      marker,
      controller: "guestbook",
    });
    expect(missingPermissionIn(entry({ error: FORBIDDEN, fields: { kind: "/v1, Kind=Secret" } }))).toEqual({
      marker,
      kind: "Secret",
    });
  });

  it("has the namespace of the request", () => {
    const error = FORBIDDEN.replace("at the cluster scope", 'in the namespace "guestbook-system"');
    expect(missingPermissionIn(entry({ error }))?.namespace).toBe("guestbook-system");
  });

  it("is none in other errors", () => {
    expect(missingPermissionIn(entry({ error: "connect ECONNREFUSED" }))).toBeUndefined();
    expect(
      missingPermissionIn(entry({ error: "guestbooks.webapp.demo is forbidden: exceeded quota" })),
    ).toBeUndefined();
    expect(missingPermissionIn(entry({}))).toBeUndefined();
  });
});

const MISSING: MissingPermission = { marker: '+kubebuilder:rbac:groups="",resources=secrets,verbs=get;list;watch' };
const GUESTBOOK = "internal/controller/guestbook_controller.ts";
const BACKUP = "internal/controller/backup_controller.ts";

function controller(kind: string, ...markers: readonly string[]): string {
  return [
    `import { ${kind} } from "../../api/v1/types.ts";`,
    `export class ${kind}Reconciler {`,
    ...markers.map((marker) => `  // ${marker}`),
    "",
    "  /** Reconciles. */",
    "  async reconcile(): Promise<void> {}",
    `  // built with .named("${kind.toLowerCase()}")`,
    "}",
    "",
  ].join("\n");
}

const SERVICES = '+kubebuilder:rbac:groups="",resources=services,verbs=get';
const PODS = '+kubebuilder:rbac:groups="",resources=pods,verbs=get';

describe("a marker", () => {
  it("goes below the last one of the only controller, in the same form", () => {
    const sources = new Map([[GUESTBOOK, controller("Guestbook", SERVICES, PODS)]]);
    expect(placeMarker(MISSING, sources)).toEqual({
      kind: "edit",
      path: GUESTBOOK,
      text: controller("Guestbook", SERVICES, PODS, MISSING.marker),
    });
  });

  it("goes to the controller that the log names, or whose source names the kind", () => {
    const sources = new Map([
      [GUESTBOOK, controller("Guestbook", SERVICES)],
      [BACKUP, `${controller("Backup", PODS)}// owns(Secret)`],
    ]);
    expect(placeMarker({ ...MISSING, controller: "guestbook" }, sources)).toMatchObject({ path: GUESTBOOK });
    expect(placeMarker({ ...MISSING, kind: "Secret" }, sources)).toMatchObject({ path: BACKUP });
  });

  it("is refused when several controllers could need it, or none", () => {
    const sources = new Map([
      [GUESTBOOK, controller("Guestbook", SERVICES)],
      [BACKUP, controller("Backup", PODS)],
    ]);
    const reason = `the log does not name the controller that needs it: ${GUESTBOOK}, ${BACKUP}`;
    expect(placeMarker(MISSING, sources)).toEqual({ kind: "refused", reason });
    expect(placeMarker({ ...MISSING, controller: "other" }, sources)).toEqual({ kind: "refused", reason });
    expect(placeMarker(MISSING, new Map([["cmd/main.ts", ""]]))).toMatchObject({ kind: "refused" });
  });

  it("gets the namespace of the markers there, if the request was limited to it", () => {
    const sources = new Map([[GUESTBOOK, controller("Guestbook", `${PODS},namespace=system`)]]);
    expect(placeMarker({ ...MISSING, namespace: "system" }, sources)).toMatchObject({
      text: expect.stringContaining(`  // ${MISSING.marker},namespace=system\n`),
    });
    expect(placeMarker(MISSING, sources)).toEqual({
      kind: "refused",
      reason: `the markers in ${GUESTBOOK} are limited to the namespace system, and the request was for all namespaces`,
    });
  });

  it("does not end the block comment that it is added to", () => {
    const marker = "+kubebuilder:rbac:groups=*,resources=*/scale,verbs=get";
    const sources = new Map([[GUESTBOOK, `/**\n * ${PODS}\n */\nfunction reconcile() {}\n`]]);
    expect(placeMarker({ marker }, sources)).toMatchObject({
      text: expect.stringContaining(String.raw` * +kubebuilder:rbac:groups=*,resources=*\/scale,verbs=get`),
    });
  });

  it("is refused where it is already", () => {
    const sources = new Map([[GUESTBOOK, controller("Guestbook", MISSING.marker)]]);
    expect(placeMarker(MISSING, sources)).toMatchObject({ kind: "refused" });
  });
});
