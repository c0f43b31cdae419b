import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { Environment } from "@kubescaffold/envtest";
import { StatusError } from "@kubescaffold/k8s";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { goldenCases } from "../../packages/generators/test/support/golden-cases.ts";

const LIVENESS_MS = 300_000;
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly versions: readonly { readonly name: string; readonly schema?: unknown }[] };
}

// What no server takes, by case and name, with a piece of the reason: controller-gen writes it anyway.
const REFUSED = JSON.parse(
  readFileSync(fileURLToPath(new URL("refused-golden-crds.json", import.meta.url)), "utf8"),
) as Readonly<Record<string, string>>;

// On the backend that KUBESCAFFOLD_ENVTEST_BACKEND names: the embedded one in `npm test`, the real one in `npm run test:control-plane`.
describe("a server takes every CRD that the generator makes, with the same schema", () => {
  const environment = new Environment({ startTimeoutMs: LIVENESS_MS });
  let client: RestClient;

  beforeAll(async () => {
    client = createRestClient(await environment.start());
  }, LIVENESS_MS);
  afterAll(async () => {
    await client.close();
    await environment.stop();
  }, LIVENESS_MS);

  it.for(goldenCases("crd", ["crd"]))("$name", async ({ name, expected }) => {
    for (const definition of readYamlDocuments(expected) as readonly Definition[]) {
      const reason = REFUSED[`${name}/${definition.metadata.name}`];
      expect(await tryOut(client, definition, reason)).toEqual(reason ?? schemasOf(definition));
    }
  });

  it("refuses nothing that the generator does not make", () => {
    const made = goldenCases("crd", ["crd"]).flatMap(({ name, expected }) =>
      (readYamlDocuments(expected) as readonly Definition[]).map(({ metadata }) => `${name}/${metadata.name}`),
    );
    expect(made).toEqual(expect.arrayContaining(Object.keys(REFUSED)));
  });
});

// Returns the schemas that the server would store, or why it refuses: as much of it as was expected. Nothing is stored, so that cases may share a name.
async function tryOut(client: RestClient, body: Definition, reason: string | undefined): Promise<unknown> {
  try {
    const query = { dryRun: "All" };
    return schemasOf(await client.request<Definition>({ method: "POST", path: DEFINITIONS, query, body }));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return reason !== undefined && error.message.includes(reason) ? reason : error.message;
  }
}

function schemasOf({ spec }: Definition): unknown {
  return spec.versions.map(({ name, schema }) => [name, withNumbers(schema)]);
}

// Clients keep the digits of integers beyond 2^53, the reader of the golden files does not.
function withNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map((item) => withNumbers(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withNumbers(each)]));
}
