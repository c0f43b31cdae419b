import type { ServerNames } from "./issue-certificates.ts";
import {
  coversNames,
  issuerOf,
  isValidAt,
  namesOf,
  type ServingPair,
  type StoredCertificates,
  type TrustedCertificate,
} from "./stored-certificates.ts";

/** When certificates are replaced. */
export interface RotationRules {
  readonly names: ServerNames;
  readonly renewBeforeMs: number;
  readonly caRenewBeforeMs: number;
}

/** What a process knows about certificates in addition to the Secret. */
export interface RotationKnowledge {
  /** The authorities and the pair that the process used last, which a Secret that was deleted or damaged has lost. */
  readonly authorities: readonly TrustedCertificate[];
  readonly serving?: ServingPair | undefined;
  /** Whether all API servers trust the first authority, as far as can be known. */
  readonly isTrusted: (authority: TrustedCertificate) => boolean;
  /** Whether all replicas have had the time to serve the pair of the Secret. */
  readonly isServedByAll: (serving: ServingPair) => boolean;
}

/** The next write of the Secret; every one of them leaves a state from which any process continues. */
export type RotationPlan =
  | { readonly kind: "keep" }
  /** A new authority: clients trust it from then on, but it signs nothing yet if there is a pair that they accept. */
  | {
      readonly kind: "issueAuthority";
      readonly reason: string;
      readonly trusted: readonly TrustedCertificate[];
      readonly serving?: ServingPair | undefined;
    }
  /** A new pair, signed by the first authority. */
  | {
      readonly kind: "issueServing";
      readonly reason: string;
      readonly authorities: readonly TrustedCertificate[];
      readonly authorityKey: string;
      readonly names: ServerNames;
    }
  /** Another selection of what exists. */
  | {
      readonly kind: "store";
      readonly reason: string;
      readonly authorities: readonly TrustedCertificate[];
      readonly authorityKey: string;
      readonly serving: ServingPair;
    };

// More authorities than a rotation needs, for one that starts before the former has ended.
const MOST_AUTHORITIES = 8;

/**
 * Decides about the next write of the Secret.
 *
 * An authority is replaced in three writes, so that at every moment the bundle contains the issuer of every certificate that a replica serves: the new
 * authority is added to the bundle; when API servers trust it, it signs a new pair; when all replicas serve that, the old authority is removed. The
 * state is in the certificates themselves, so that it survives any process.
 */
export function planRotation(
  stored: StoredCertificates,
  known: RotationKnowledge,
  nowMs: number,
  rules: RotationRules,
): RotationPlan {
  const trusted = distinct([...stored.authorities, ...known.authorities]).filter((each) => isValidAt(each, nowMs));
  const isUsable = (pair: ServingPair | undefined): pair is ServingPair =>
    pair !== undefined && isValidAt(pair, nowMs) && issuerOf(pair, trusted) !== undefined;
  const serving = [stored.serving, known.serving].find(isUsable);
  const signing = stored.authorities[0];
  const problem = problemOfAuthority(stored, nowMs, rules);
  if (signing === undefined || stored.authorityKey === undefined || problem !== undefined) {
    const reason = problem ?? "the key of the authority is missing or damaged";
    return { kind: "issueAuthority", reason, trusted: bounded(trusted, serving), serving };
  }
  const { authorityKey } = stored;
  const ordered = bounded([signing, ...trusted.filter((each) => each !== signing)], serving);
  const issue = (reason: string, names = rules.names): RotationPlan => {
    return { kind: "issueServing", reason, authorities: ordered, authorityKey, names };
  };
  if (serving === undefined) return issue("the serving certificate is missing, damaged, or expired");
  if (serving !== stored.serving) {
    const reason = "the serving certificate of the Secret is damaged, restoring the one that is in use";
    return { kind: "store", reason, authorities: ordered, authorityKey, serving };
  }
  if (issuerOf(serving, [signing]) === undefined) {
    if (known.isTrusted(signing)) return issue("API servers trust the new authority");
    return restored(stored, { authorities: ordered, authorityKey, serving });
  }
  if (!coversNames(serving, rules.names)) return issue("the names have changed", union(rules.names, namesOf(serving)));
  if (serving.notAfterMs - nowMs <= rules.renewBeforeMs) return issue("the serving certificate is due for renewal");
  if (stored.authorities.length > 1 && known.isServedByAll(serving)) {
    const reason = "all replicas serve a certificate of the new authority, removing the old one";
    return { kind: "store", reason, authorities: [signing], authorityKey, serving };
  }
  // What the process knows besides was removed on purpose, as the signing authority is the issuer.
  return restored(stored, { authorities: stored.authorities, authorityKey, serving });
}

function problemOfAuthority(stored: StoredCertificates, nowMs: number, rules: RotationRules): string | undefined {
  const signing = stored.authorities[0];
  if (signing === undefined) return "the authority is missing or damaged";
  if (stored.authorityKey === undefined) return "the key of the authority is missing or damaged";
  if (!isValidAt(signing, nowMs)) return "the authority is not valid at this time";
  return signing.notAfterMs - nowMs <= rules.caRenewBeforeMs ? "the authority is due for renewal" : undefined;
}

function restored(
  stored: StoredCertificates,
  content: {
    readonly authorities: readonly TrustedCertificate[];
    readonly authorityKey: string;
    readonly serving: ServingPair;
  },
): RotationPlan {
  const isSame = content.authorities.every((each) =>
    stored.authorities.some(({ fingerprint }) => fingerprint === each.fingerprint),
  );
  if (isSame && stored.isBundleClean) return { kind: "keep" };
  return { kind: "store", reason: "the bundle of the Secret is damaged", ...content };
}

function distinct(certificates: readonly TrustedCertificate[]): readonly TrustedCertificate[] {
  return [...new Map(certificates.toReversed().map((each) => [each.fingerprint, each])).values()].toReversed();
}

// The issuer of what is served is the one that must not be lost.
function bounded(
  trusted: readonly TrustedCertificate[],
  serving: ServingPair | undefined,
): readonly TrustedCertificate[] {
  if (trusted.length <= MOST_AUTHORITIES) return trusted;
  const issuer = serving === undefined ? undefined : issuerOf(serving, trusted);
  const kept = distinct([...trusted.slice(0, MOST_AUTHORITIES - 1), ...(issuer === undefined ? [] : [issuer])]);
  return kept;
}

function union(left: ServerNames, right: ServerNames): ServerNames {
  return {
    dnsNames: [...new Set([...left.dnsNames, ...right.dnsNames])],
    ipAddresses: [...new Set([...left.ipAddresses, ...right.ipAddresses])],
  };
}
