import type { BuiltInRules } from "./built-in-rules.ts";
import { setTemplateDefaults } from "./pod-spec-defaults.ts";

/** What PodTemplates do beyond their schema. */
export const podTemplateRules: BuiltInRules = {
  generationFields: ["template"],
  returnsDeletedObject: true,
  setDefaults: (podTemplate) => setTemplateDefaults(podTemplate),
};
