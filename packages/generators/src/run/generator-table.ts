import type { Check, CheckInput, Generator } from "../contract/generator.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";

/** A part of a run that is loaded when it is asked for. */
interface Loadable<T> {
  readonly name: string;
  readonly load: () => Promise<T>;
}

/** Every generator that there is. */
export const GENERATORS: readonly Loadable<Generator>[] = [
  { name: "crd", load: async () => (await import("../crd/crd-generator.ts")).crdGenerator },
  { name: "rbac", load: async () => (await import("../rbac/generate-rbac.ts")).rbacGenerator },
  { name: "webhook", load: async () => (await import("../webhook/generate-webhooks.ts")).webhookGenerator },
  { name: "object", load: async () => (await import("../object/object-generator.ts")).objectGenerator },
  {
    name: "applyconfiguration",
    load: async () =>
      (await import("../applyconfiguration/applyconfiguration-generator.ts")).applyconfigurationGenerator,
  },
  {
    name: "conversion",
    load: async () => (await import("../conversion/conversion-generator.ts")).conversionGenerator,
  },
  {
    name: "schemapatch",
    load: async () => (await import("../schemapatch/schemapatch-generator.ts")).schemapatchGenerator,
  },
];

/** What is checked about CRDs once they are made, in this order. */
export const CHECKS: readonly Loadable<Check>[] = [
  { name: "crd", load: async () => (await import("../checks/check-crds.ts")).checkCrds },
  { name: "compat", load: async () => checkCompat },
];

// Without the option `compat`, its module is not loaded.
async function checkCompat(input: CheckInput): Promise<readonly Diagnostic[]> {
  const former = input.options["compat"];
  if (typeof former !== "string" || former === "") return [];
  const { compareWithFormer } = await import("../compat/compare-with-former.ts");
  return await compareWithFormer(former, input);
}
