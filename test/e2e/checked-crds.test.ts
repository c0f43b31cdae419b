import { Environment } from "@kubescaffold/envtest";
import { StatusError } from "@kubescaffold/k8s";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { RELAXABLE_CODES } from "../../packages/generators/src/checks/relax.ts";
import { runGenerators } from "../../packages/generators/src/run/run-generators.ts";
import { CHECK_CASES, SOUND_CASES, sourceFile } from "../../packages/generators/test/checks/check-cases.ts";
import { goldenCases } from "../../packages/generators/test/support/golden-cases.ts";
import { memoryHost } from "../../packages/generators/test/support/memory-host.ts";

const LIVENESS_MS = 300_000;
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const IS_REAL = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";

// On the backend that KUBESCAFFOLD_ENVTEST_BACKEND names: the embedded one in `npm test`, the real one in `npm run test:control-plane`.
describe("the checks of the generator and a server agree", () => {
  const environment = new Environment({ startTimeoutMs: LIVENESS_MS });
  let client: RestClient;

  beforeAll(async () => {
    client = createRestClient(await environment.start());
  }, LIVENESS_MS);
  afterAll(async () => {
    await client.close();
    await environment.stop();
  }, LIVENESS_MS);

  const answerTo = async (yaml: string): Promise<string> => {
    try {
      for (const body of readYamlDocuments(yaml))
        await client.request({ method: "POST", path: DEFINITIONS, query: { dryRun: "All" }, body });
      return "accepted";
    } catch (error) {
      if (error instanceof StatusError) return error.message;
      throw error;
    }
  };

  // What the embedded server does not look at is left to the real one.
  it.for(CHECK_CASES.filter(({ refusal }) => IS_REAL || refusal === undefined || !ONLY_REAL.test(refusal)))(
    "$name is rejected by the server as the check says, or taken and lost",
    async ({ source, options, refusal }) => {
      expect(await answerTo(await generate(source, options))).toContain(refusal ?? "accepted");
    },
  );

  it.for(SOUND_CASES)("%s: what has no finding is accepted", async ([, source]) => {
    expect(await answerTo(await generate(source))).toBe("accepted");
  });

  // The embedded server does not look at everything that the real one does.
  it.skipIf(!IS_REAL).for(goldenCases("crd", ["crd"]))(
    "$name, which controller-gen writes, has an error exactly when it is refused",
    async ({ input, arguments: words, expected }) => {
      const { diagnostics } = await runGenerators({ root: input, arguments: [...words, "paths=./..."] });
      const errors = diagnostics.filter(({ severity, code }) => severity === "error" && !LOSES_ONLY.has(code));
      const answer = await answerTo(withExactNumbers(expected));
      expect({ answer, isRefused: answer !== "accepted" }).toEqual({ answer, isRefused: errors.length > 0 });
    },
  );
});

// Servers accept these definitions, and lose values of their objects or refuse them.
const LOSES_ONLY = new Set(["CRD_BOUND_OUT_OF_RANGE", "CRD_EMBEDDED_METADATA", "CRD_ENUM_TYPE"]);

// JSON in this language has no number as large as the largest of 64 bits.
function withExactNumbers(yaml: string): string {
  return yaml
    .replaceAll("9223372036854775807", "9007199254740991")
    .replaceAll("-9223372036854775808", "-9007199254740991");
}

const ONLY_REAL =
  /selectable|does not refer|Duplicate value|must point|simple json path|256 characters|\.format|metadata\./u;

async function generate(source: string, options = ""): Promise<string> {
  const relax = `relax=${RELAXABLE_CODES.join(";")}`;
  const { stdout, diagnostics } = await runGenerators({
    root: "/p",
    arguments: [`crd:${options === "" ? "" : `${options},`}${relax}`, "paths=./...", "output:stdout"],
    host: memoryHost({ "/p/v1/widget_types.ts": sourceFile(source) }),
  });
  expect(diagnostics.filter((each) => each.severity === "error")).toEqual([]);
  return stdout;
}
