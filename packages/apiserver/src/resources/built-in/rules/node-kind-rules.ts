import type { BuiltInRules } from "./built-in-rules.ts";

/** Rules of RuntimeClasses beyond their schema. */
export const runtimeClassRules: BuiltInRules = {
  allowsCreateOnUpdate: true,
  allowsUnconditionalUpdate: false,
  checksEveryField: true,
  loadChecks: async () => {
    const { runtimeClassChecks } = await import("./pod/runtime-class-checks.ts");
    return runtimeClassChecks;
  },
};
