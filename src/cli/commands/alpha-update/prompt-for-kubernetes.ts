import { type KubernetesMinor, SUPPORTED_MINORS } from "@kubescaffold/k8s";

import { createDiskReader } from "../../../machinery/disk.ts";
import { kubernetesVersionOf } from "../../../project/kubernetes-version.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { parseProject } from "../../../project/project-file.ts";
import type { Answers, Asking } from "../../command/command.ts";

/** What is known when the version is asked for. */
interface KubernetesAsking extends Asking {
  readonly flags: { readonly kubernetes: string | undefined };
}

/** Prompts for the minor version of Kubernetes of the upgraded project, with the recorded one first; a project that cannot be read is left to the command. */
export async function askForKubernetes({ ask, cwd, flags }: KubernetesAsking): Promise<Answers> {
  const recorded = flags.kubernetes === undefined ? recordedIn(cwd) : undefined;
  if (recorded === undefined) return {};
  const others = SUPPORTED_MINORS.filter((minor) => minor !== recorded).toReversed();
  const minor = await ask.one<KubernetesMinor>("Version of Kubernetes", [
    { value: recorded, label: recorded, hint: "that of the project" },
    ...others.map((each) => ({ value: each, label: each })),
  ]);
  return { flags: { kubernetes: minor } };
}

function recordedIn(folder: string): KubernetesMinor | undefined {
  const text = createDiskReader(folder).read(PROJECT_FILE);
  if (text === undefined) return undefined;
  try {
    return kubernetesVersionOf(parseProject(text));
  } catch {
    return undefined;
  }
}
