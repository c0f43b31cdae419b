import { writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { type Exchange, hasPseudoTerminal, runAtTerminal } from "../support/pseudo-terminal.ts";
import type { PackedProject } from "./packed-project.ts";

const CONTROLLER = "internal/controller/memcached_controller.ts";
const MARKER = "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch";
const ENTER = "\r";

/** Tests what users are prompted for, and the keys of `scaffold dev`. */
export function testTerminal(projectOf: () => PackedProject): void {
  it.runIf(hasPseudoTerminal)(
    "a further version starts with the fields of the newest one, if its user just agrees",
    async () => {
      const project = projectOf();
      const screen = await shownBy(
        project,
        "npx scaffold create api --group cache --version v2 --kind Memcached --make=false",
        [
          ["Create Resource", `y${ENTER}`],
          ["Start with the fields of", ""],
          ["v1alpha1", ENTER],
          ["Create Controller [y/N]", ENTER],
        ],
      );
      expect(screen).toContain("--resource --from v1 --controller=false");
      expect(fieldsOf(project.read("api/v2/memcached_types.ts"))).toBe(
        fieldsOf(project.read("api/v1/memcached_types.ts")),
      );
      await project.succeed(
        "npx scaffold delete api --group cache --version v2 --kind Memcached --not-stored --force --yes",
      );
    },
  );

  it.runIf(hasPseudoTerminal)("scaffold dev adds the marker of a missing permission with a key", async () => {
    const project = projectOf();
    const text = project.read(CONTROLLER);
    const without = text.replace(/(?<=resources=deployments,verbs=).*/u, "get;create;update;patch");
    expect(without).not.toBe(text);
    writeFileSync(path.join(project.root, CONTROLLER), without);
    await shownBy(project, "npx scaffold dev", [
      [`missing permission: ${MARKER}`, "a"],
      [`added ${MARKER} to ${CONTROLLER}`, ""],
      [`${CONTROLLER} changed: manager `, "q"],
    ]);
    expect(project.read(CONTROLLER)).toContain(`  // ${MARKER}\n`);
    expect(project.read("config/rbac/role.yaml")).toMatch(/- deployments\n {2}verbs:\n(?: {2}- \w+\n)* {2}- watch\n/u);
    writeFileSync(path.join(project.root, CONTROLLER), text);
    await project.succeed("npx scaffold manifests");
  });
}

async function shownBy(project: PackedProject, line: string, exchanges: readonly Exchange[]): Promise<string> {
  const { status, screen, unasked } = await runAtTerminal(project.root, line, exchanges);
  expect({ status, unasked, screen }).toEqual({ status: 0, unasked: [], screen });
  return screen;
}

function fieldsOf(types: string): string {
  return types.slice(types.indexOf("export interface MemcachedSpec"), types.indexOf("+kubebuilder:object:root=true"));
}
