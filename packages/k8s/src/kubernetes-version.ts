import { ScaffoldError } from "./failures/errors.ts";

/** The minor version of Kubernetes that everything has by default: the types and tables of this package, and the embedded API server. */
export const KUBERNETES_MINOR = "1.37";

/** The patch release of {@link KUBERNETES_MINOR} that types, tables, and behavior were taken from. */
export const KUBERNETES_VERSION = "1.37.2";

/** The minor versions of Kubernetes that the embedded API server can have, the oldest first. */
export const SUPPORTED_MINORS = ["1.34", "1.35", "1.36", "1.37"] as const;

/** A minor version of Kubernetes that the embedded API server can have. */
export type KubernetesMinor = (typeof SUPPORTED_MINORS)[number];

/** The minor version of what does not record one: projects and stored states from before it could be selected. */
export const UNRECORDED_MINOR: KubernetesMinor = "1.35";

/** The environment variable that selects a minor version. */
export const KUBERNETES_VERSION_VARIABLE = "KUBESCAFFOLD_KUBERNETES_VERSION";

/** Reports whether a text is a supported minor version, such as `1.36`. */
export function isSupportedMinor(text: string): text is KubernetesMinor {
  return (SUPPORTED_MINORS as readonly string[]).includes(text);
}

/** Returns the number after the dot of a minor version, such as 36 for `1.36`, by which minor versions are compared. */
export function minorNumber(minor: string): number {
  return Number(minor.slice(minor.indexOf(".") + 1));
}

/** The minor version that a text selects. */
export interface SelectedMinor {
  /** The minor version. */
  readonly minor: KubernetesMinor;
  /** A sentence for the user, where the text is not the minor version itself: `Kubernetes 1.36 is used for --kubernetes=1.36.2`. */
  readonly note: string | undefined;
}

// Such as `v1.36.2`, `1.36.x`, or `v1.36.2+k3s1`.
const VERSION = /^v?(?<major>\d+)\.(?<number>\d+)(?:\.(?:\d+|x))?(?:[+-][\w.+-]*)?$/u;

/**
 * Reads the minor version of Kubernetes that a text selects: `1.36`, or with less precision than the text `v1.36`, `1.36.2`, and `latest`, which is the newest.
 *
 * `origin` is where the text is from, such as `kubernetesVersion` or `--kubernetes`. Fails: {@link KubernetesVersionError} for other texts.
 */
export function readKubernetesVersion(text: string, origin: string): SelectedMinor {
  if (typeof text !== "string") {
    throw new KubernetesVersionError(`a ${text === null ? "null" : typeof text} as ${origin}`, "it is not a text");
  }
  if (isSupportedMinor(text)) return { minor: text, note: undefined };
  const wanted = text === "latest" ? SUPPORTED_MINORS.at(-1) : minorOf(text);
  const value = `${origin} ${JSON.stringify(text)}`;
  if (wanted === undefined) throw new KubernetesVersionError(value, "it is not a version of Kubernetes");
  if (!isSupportedMinor(wanted)) throw new KubernetesVersionError(value, `Kubernetes ${wanted} is not supported`);
  return { minor: wanted, note: `Kubernetes ${wanted} is used for ${value}` };
}

function minorOf(text: string): string | undefined {
  const { major, number } = VERSION.exec(text)?.groups ?? {};
  return major === undefined || number === undefined ? undefined : `${major}.${number}`;
}

/**
 * Thrown when a text is not a version of Kubernetes, or a version that is not supported.
 *
 * Fix: Use one of the minor versions that the message contains.
 */
export class KubernetesVersionError extends ScaffoldError {
  readonly code = "KUBERNETES_VERSION";

  /** Describes a value of `origin`, such as an option, a flag, or a variable. */
  constructor(origin: string, problem: string) {
    super(`cannot use ${origin}: ${problem}; supported are ${listed("and")}`, { hint: `use ${listed("or")}` });
  }
}

function listed(conjunction: string): string {
  return `${SUPPORTED_MINORS.slice(0, -1).join(", ")}, ${conjunction} ${SUPPORTED_MINORS.at(-1) ?? ""}`;
}
