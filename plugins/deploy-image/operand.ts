import { InvalidContainerError } from "./errors.ts";
import { type ImageReference, parseImageReference } from "./image-reference.ts";
import { splitCommand } from "./split-command.ts";

/** What was asked for, as it was written and as PROJECT keeps it. */
export interface OperandOptions {
  readonly image: string;
  readonly containerCommand?: string;
  readonly containerPort?: string;
  readonly runAsUser?: string;
}

/** What the Pods of a kind run. */
export interface Operand {
  readonly image: string;
  readonly reference: ImageReference;
  /** Empty for the image's own. */
  readonly command: readonly string[];
  readonly port: number | undefined;
  readonly runAsUser: number | undefined;
}

/** Reads options. Fails: `InvalidImageError`, {@link InvalidContainerError}. */
export function readOperand(options: OperandOptions): Operand {
  const { image, containerCommand, containerPort, runAsUser } = options;
  return {
    image,
    reference: parseImageReference(image),
    command: containerCommand === undefined ? [] : splitCommand(containerCommand),
    port: containerPort === undefined ? undefined : readPort(containerPort),
    runAsUser: runAsUser === undefined ? undefined : readUser(runAsUser),
  };
}

function readPort(text: string): number {
  return readInteger(text, { what: "port", least: 1, most: 65_535, hint: "ports are 1 to 65535" });
}

// Pods may not run as root under the Pod Security Standard "restricted"; Kubernetes takes ids of 31 bits.
function readUser(text: string): number {
  const hint = "ids are 1 to 2147483647: 0 is root, which Pods may not run as";
  return readInteger(text, { what: "user", least: 1, most: 2_147_483_647, hint });
}

interface Range {
  readonly what: string;
  readonly least: number;
  readonly most: number;
  readonly hint: string;
}

function readInteger(text: string, { what, least, most, hint }: Range): number {
  const value = /^\+?\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidContainerError(`cannot use ${what} "${text}" for the container`, { hint });
}
