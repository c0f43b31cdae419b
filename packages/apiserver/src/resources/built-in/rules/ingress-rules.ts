import { objectIn, objectsIn } from "../../fields.ts";
import type { BuiltInRules } from "./built-in-rules.ts";

/** Rules of Ingresses beyond their schema. */
export const ingressRules: BuiltInRules = {
  generationFields: ["spec"],
  complete: (ingress) => {
    const spec = objectIn(ingress, "spec");
    const paths = objectsIn(spec, "rules").flatMap((rule) => objectsIn(objectIn(rule, "http"), "paths"));
    const backends = [objectIn(spec, "defaultBackend"), ...paths.map((path) => objectIn(path, "backend"))];
    for (const backend of backends) {
      const resource = objectIn(backend, "resource");
      if (resource !== undefined) resource["apiGroup"] ??= null;
    }
  },
  checksEveryField: true,
  loadChecks: async () => {
    const { ingressChecks } = await import("./networking/ingress-checks.ts");
    return ingressChecks;
  },
};
