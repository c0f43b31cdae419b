import type { ChaosOptions } from "../../../src/chaos/chaos.ts";
import { TYPICAL_FAULTS } from "../../../src/chaos/faults.ts";

/** The faults of some seeds. */
export interface Profile extends Pick<ChaosOptions, "faults" | "match" | "limits" | "illegal"> {
  /** The name in figures. */
  readonly name: string;
}

const MIXED: Profile = {
  name: "mixed",
  faults: { ...TYPICAL_FAULTS, hangRequest: 0.01, hangWatch: 0.01, jumpClock: 0.02, rotateCertificate: 0.01 },
};

const PROFILES: readonly Profile[] = [
  MIXED,
  {
    name: "watches",
    faults: {
      expired: 0.3,
      staleList: 0.3,
      delayResponse: 0.05,
      closeWatch: 0.1,
      truncateWatch: 0.1,
      expireWatch: 0.05,
      delayEvent: 0.1,
      hangWatch: 0.005,
    },
  },
  {
    name: "leases",
    match: { resource: "leases" },
    limits: { delayMs: 8000 },
    faults: { dropResponse: 0.2, delayRequest: 0.1, delayResponse: 0.2, hangRequest: 0.05, unavailable: 0.1 },
  },
  {
    name: "writes",
    faults: { dropRequest: 0.1, dropResponse: 0.15, truncateResponse: 0.05, tooManyRequests: 0.05, internalError: 0.1 },
  },
  {
    name: "rare",
    faults: { ...Object.fromEntries(Object.keys(TYPICAL_FAULTS).map((kind) => [kind, 0.005])), hangWatch: 0.002 },
  },
  {
    name: "repeated",
    illegal: true,
    faults: { ...TYPICAL_FAULTS, expired: 0.02, staleList: 0.02, replayEvents: 0.16, duplicateEvent: 0.1 },
  },
];

/** Returns the profile of a seed; consecutive seeds have different ones. Faults of certificates need TLS. */
export function profileOf(seed: number, tls: boolean): Profile {
  const profile = PROFILES[seed % PROFILES.length] ?? MIXED;
  const { rotateCertificate: _rotateCertificate, ...faults } = profile.faults ?? {};
  return tls ? profile : { ...profile, faults };
}
