import type { GeneratorInput, GeneratorOutput } from "../generator.ts";
import { generateWebhooks } from "./generate-webhooks.ts";

/** Is the generator `webhook`: the webhook configurations that the sources ask for. */
export function webhookGenerator(input: GeneratorInput): GeneratorOutput {
  const { manifests, diagnostics } = generateWebhooks(input, { header: input.header });
  return { artifacts: manifests.map((each) => ({ kind: "config", ...each })), diagnostics };
}
