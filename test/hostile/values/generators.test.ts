import { sendHostileValues } from "./send-hostile-values.ts";

sendHostileValues("packages/generators/src", {
  calls: {},
  ofConfigurations: [
    "cache/key.ts hashValue",
    "checks/crd-size.ts jsonSize",
    "importer/normal-form.ts canonicalJson",
    "importer/normal-form.ts isSameJson",
    "typescript/literals.ts valueLiteral",
  ],
  others: {
    "checks/relax.ts readRelaxOption": "takes names that the developer wrote",
    "webhook/patch-webhook.ts patchWebhook": "reads and writes single members of a configuration",
  },
});
