import { randomBytes } from "node:crypto";

import type { Container } from "@kubescaffold/k8s/core/v1";

import type { ImageDefinition } from "./image-definitions.ts";
import type { ContainerEvent } from "./probes/probes.ts";

/** Returns the events of a kubelet that starts a container; `startError` is why its process cannot be started. */
export function startEvents(
  container: Pick<Container, "image" | "imagePullPolicy">,
  startError: string | undefined,
): readonly ContainerEvent[] {
  return [...pullEvents(container), CREATED, startError === undefined ? STARTED : failed(startError)];
}

/** Returns the events of a kubelet that makes an image available, which precedes the configuration of the container. */
export function pullEvents({
  image = "",
  imagePullPolicy,
}: Pick<Container, "image" | "imagePullPolicy">): readonly ContainerEvent[] {
  return imagePullPolicy === "Always"
    ? [
        { type: "Normal", reason: "Pulling", message: `Pulling image "${image}"` },
        {
          type: "Normal",
          reason: "Pulled",
          // Nothing is transferred.
          message: `Successfully pulled image "${image}" in 0s (0s including waiting). Image size: 0 bytes.`,
        },
      ]
    : [
        {
          type: "Normal",
          reason: "Pulled",
          message: `Container image "${image}" already present on machine and can be accessed by the pod`,
        },
      ];
}

const CREATED: ContainerEvent = { type: "Normal", reason: "Created", message: "Container created" };
const STARTED: ContainerEvent = { type: "Normal", reason: "Started", message: "Container started" };

function failed(startError: string): ContainerEvent {
  return { type: "Warning", reason: "Failed", message: `Error: ${startError}` };
}

/** Returns why the process of a container cannot be started, in the words of containerd and runc: its program is not one of the image. */
export function startErrorOf(
  command: readonly string[],
  definition: Pick<ImageDefinition, "programs">,
): string | undefined {
  const problem = missingProgram(command, definition);
  return problem === undefined
    ? undefined
    : `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: ${problem}`;
}

/** Returns why a command cannot be run in a container that runs, in the same words. */
export function execErrorOf(
  command: readonly string[],
  definition: Pick<ImageDefinition, "programs">,
): string | undefined {
  const problem = missingProgram(command, definition);
  if (problem === undefined) return undefined;
  const id = randomBytes(32).toString("hex");
  return `failed to exec in container: failed to start exec "${id}": OCI runtime exec failed: exec failed: ${problem}`;
}

function missingProgram(
  [program]: readonly string[],
  { programs }: Pick<ImageDefinition, "programs">,
): string | undefined {
  if (program === undefined || programs === undefined || programs.some((each) => isCalled(each, program)))
    return undefined;
  const text = JSON.stringify(program);
  const problem = program.includes("/")
    ? `stat ${program}: no such file or directory`
    : "executable file not found in $PATH";
  return `unable to start container process: exec: ${text}: ${problem}: unknown`;
}

function isCalled(file: string, program: string): boolean {
  return file === program || file.slice(file.lastIndexOf("/") + 1) === program;
}
