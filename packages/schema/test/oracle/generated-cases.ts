import * as fc from "fast-check";

import { deployments, documents, jsonPatches, podPatches, pods } from "./arbitrary-patches.ts";
import { objectsOf, schemas } from "./arbitrary-schemas.ts";
import type { OracleCase } from "./oracle-case.ts";

const SEED = 20;

const sample = <T>(arbitrary: fc.Arbitrary<T>, numRuns: number): readonly T[] =>
  fc.sample(arbitrary, { seed: SEED, numRuns });

const schemaAndObject = schemas.chain((schema) => fc.record({ schema: fc.constant(schema), value: objectsOf(schema) }));
const update = schemas.chain((schema) =>
  fc.record({ schema: fc.constant(schema), value: objectsOf(schema), previous: objectsOf(schema) }),
);

/** Cases that are drawn, always the same ones. */
export const generatedCases: readonly OracleCase[] = [
  ...sample(schemaAndObject, 400).map((drawn) => ({ op: "validate", ...drawn }) as const),
  ...sample(update, 100).map((drawn) => ({ op: "validate", ...drawn }) as const),
  ...sample(schemaAndObject, 150).map((drawn) => ({ op: "prune", ...drawn }) as const),
  ...sample(schemaAndObject, 150).map((drawn) => ({ op: "default", ...drawn }) as const),
  ...sample(schemas, 100).map((schema) => ({ op: "structural", schema }) as const),
  ...sample(fc.tuple(pods, podPatches), 300).map(
    ([value, patch]) => ({ op: "strategic", type: "Pod", value, patch }) as const,
  ),
  ...sample(fc.tuple(pods, pods), 150).map(
    ([value, patch]) => ({ op: "strategic-create", type: "Pod", value, patch }) as const,
  ),
  ...sample(fc.tuple(deployments, deployments), 150).map(
    ([value, patch]) => ({ op: "strategic-create", type: "Deployment", value, patch }) as const,
  ),
  ...sample(fc.tuple(documents, documents), 150).map(([value, patch]) => ({ op: "merge", value, patch }) as const),
  ...sample(fc.tuple(documents, documents), 100).map(
    ([value, patch]) => ({ op: "merge-create", value, patch }) as const,
  ),
  ...sample(fc.tuple(documents, jsonPatches), 400).map(
    ([value, patch]) => ({ op: "json-patch", value, patch }) as const,
  ),
];
