import { printGenerator } from "@kubescaffold/generators/arguments";

import { certificateIssuerOf } from "../../../project/certificates.ts";
import { kubernetesVersionOf } from "../../../project/kubernetes-version.ts";
import { packageManagerOf, printPackageManager } from "../../../project/package-manager.ts";
import type { Invocation } from "../../command/command.ts";
import { readGeneratorOptions } from "../../generating/generator-options.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";

/** Prints the settings that `edit` changes, and returns the exit status. */
export async function showSettings(invocation: Invocation): Promise<number> {
  const document = await withProjectSession(
    invocation,
    { isDryRun: true },
    async (session) => loadProject(session).document,
  );
  const { multigroup = false, namespaced = false, layout } = document.project;
  const kubernetes = kubernetesVersionOf(document.project);
  const generators = readGeneratorOptions(document);
  const words = Object.entries(generators).map(([name, options]) => printGenerator(name, options));
  const manager = packageManagerOf(document.project);
  const certificates = certificateIssuerOf(document.project);
  const packageManager = manager.name === "npm" ? undefined : printPackageManager(manager);
  const text = invocation.printsJson
    ? JSON.stringify(
        { multigroup, namespaced, layout, certificates, kubernetes, packageManager, generators },
        undefined,
        2,
      )
    : [
        `multigroup         ${String(multigroup)}`,
        `namespaced         ${String(namespaced)}`,
        `plugins            ${layout.join(", ")}`,
        `certificates       ${certificates}`,
        `kubernetes         ${kubernetes}`,
        ...(packageManager === undefined ? [] : [`package manager    ${packageManager}`]),
        `generator options  ${words.length === 0 ? "none" : words.join(" ")}`,
      ].join("\n");
  invocation.terminal.writeOut(`${text}\n`);
  return 0;
}
