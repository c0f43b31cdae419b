import { isDeepStrictEqual } from "node:util";

import { selectedRelease } from "../conformance/selected-release.ts";
import type { Outcome } from "./validated-server.ts";

/** A difference that is accepted, with its reason. */
interface ListedDifference {
  readonly reason: string;
  /** The only minor on which it is accepted; all of them by default. */
  readonly minor?: string;
  readonly matches: (pair: ComparedOutcomes) => boolean;
}

interface ComparedOutcomes {
  readonly embedded: Outcome;
  readonly kubernetes: Outcome;
}

const LISTED: readonly ListedDifference[] = [
  {
    reason: "kube-apiserver panics, and closes the connection",
    matches: ({ embedded, kubernetes }) => kubernetes.status === 0 && embedded.status !== 0 && embedded.status !== 500,
  },
  {
    reason: "1.34 has another word for a key with several slashes",
    minor: "1.34",
    matches: ({ embedded, kubernetes }) => isDeepStrictEqual(embedded, withNewWord(kubernetes)),
  },
];

function withNewWord(outcome: Outcome): Outcome {
  const text = JSON.stringify(outcome).replaceAll(
    "a qualified name must consist of",
    "a valid label key must consist of",
  );
  return JSON.parse(text) as Outcome;
}

/** Reports whether a difference is one that is accepted, on the minor that tests compare with. */
export function isListed(pair: ComparedOutcomes): boolean {
  const compared = selectedRelease().minor;
  return LISTED.some(({ minor = compared, matches }) => minor === compared && matches(pair));
}
