// The random tests of the gate: each has a list of shards, and each shard always has the same input. The gate runs one shard of each per day, so that all
// have run after two weeks; `npm run nightly` runs all of them. `KUBESCAFFOLD_SHARD=3` replays one.

/** The random tests that are scripts: `argsOf` returns the arguments of Node for a shard. */
export const RANDOM_TESTS = [
  {
    name: "fuzz",
    // All targets share the minutes.
    argsOf: (shard) => ["scripts/fuzz.mjs", "--minutes", "2", "--seed", String(20_261_122 + shard)],
  },
  {
    name: "test:oracle",
    needsGo: true,
    argsOf: (shard) => ["scripts/test-oracle.mjs", "--seed", String(20_261_122 + shard)],
  },
  {
    name: "simulate",
    argsOf: (shard) => ["scripts/simulate.mjs", "--count", "300", "--seed", String(1 + shard * 300)],
  },
  {
    name: "differential",
    needsGo: true,
    argsOf: (shard) => {
      const { DIFFERENTIAL_OPERATIONS: operations, DIFFERENTIAL_SEED: seed } = differentialVariables(shard);
      return ["scripts/differential.mjs", "--operations", operations, "--seed", seed];
    },
  },
  {
    name: "fuzz:validation",
    needsGo: true,
    argsOf: (shard) => {
      const { VALIDATION_REQUESTS: count, VALIDATION_SEED: seed } = validationVariables(shard);
      return ["scripts/fuzz-validation.mjs", "--count", count, "--seed", seed];
    },
  },
];

/** Returns the variables of the test of random operations; an episode of 400 operations has one seed. */
export function differentialVariables(shard) {
  return { DIFFERENTIAL_OPERATIONS: "1200", DIFFERENTIAL_SEED: String(1000 + shard * 3) };
}

/** Returns the variables of the test of random objects of built-in kinds. */
export function validationVariables(shard) {
  return { VALIDATION_REQUESTS: "800", VALIDATION_SEED: String(20_110 + shard) };
}
