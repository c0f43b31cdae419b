import { KubernetesVersionError } from "./errors.ts";
import { isSupportedMinor, type KubernetesMinor, SUPPORTED_MINORS } from "./supported-minors.ts";

/** The minor version that a text selects. */
export interface SelectedMinor {
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
