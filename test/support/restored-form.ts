import { isRecord } from "@kubescaffold/platform";

import { controllerNames } from "../../src/project/plans/plan-controllers.ts";
import type { ProjectConfig } from "../../src/project/project-config.ts";

// What no other file of a project contains, as docs/reference/project-file.md lists it.
const OWN_LAYOUT = /^ts\.kubescaffold\.dev\//u;
const GENERATORS = "base.ts.kubescaffold.dev/v1";

/** Returns a project without what `alpha restore-project` cannot restore, in one order. */
export function restoredForm({ plugins = {}, resources = [], ...project }: ProjectConfig): object {
  return {
    ...project,
    layout: project.layout.filter((key) => OWN_LAYOUT.test(key)),
    plugins: Object.fromEntries(
      Object.entries(plugins)
        .filter(([key]) => key !== GENERATORS)
        .map(([key, data]) => [key, sorted(data)]),
    ),
    // A controller with the name of its kind may be recorded in two ways, and for several versions that share its file.
    controllers: [
      ...new Set(
        resources.flatMap((each) => controllerNames(each).map((name) => `${each.group ?? ""}/${each.kind}/${name}`)),
      ),
    ].toSorted(),
    resources: resources
      .map(({ controller: _controller, controllers: _controllers, ...others }) => others)
      .toSorted(byText),
  };
}

function sorted(data: unknown): unknown {
  if (!isRecord(data) || !Array.isArray(data["resources"])) return data;
  return { ...data, resources: (data["resources"] as readonly unknown[]).toSorted(byText) };
}

function byText(left: unknown, right: unknown): number {
  return textOf(left) < textOf(right) ? -1 : 1;
}

function textOf(value: unknown): string {
  const { group = "", version = "", kind = "" } = value as Readonly<Record<string, string>>;
  return `${group}/${version}/${kind}`;
}
