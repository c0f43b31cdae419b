import type { ScaffoldContext } from "kubescaffold/plugin";

const DEFAULT = "config/default/kustomization.yaml";
const PATCH = "config/default/manager_certificates_patch.yaml";
const CONFIGURATIONS = {
  mutating: "mutatingwebhookconfigurations",
  validating: "validatingwebhookconfigurations",
} as const;
const ROLE = "config/certificates/injector_role.yaml";

/** Writes what a manager needs that makes its certificates itself: an empty Secret, permissions, and the names of the objects. */
export function enableSelfManaged(context: ScaffoldContext): void {
  context.renderTemplates("self-managed", {
    values: { projectName: context.project.projectName ?? "" },
    ifExists: "skip",
  });
  context.enable(DEFAULT, ["- ../certificates"]);
  context.enable(DEFAULT, context.renderLines("blocks/certificates-patch.yaml", {}));
}

/** Lets the manager write the CA bundle of the project's webhook configuration of a kind. */
export function permitInjection(context: ScaffoldContext, kind: "mutating" | "validating"): void {
  const configuration = `${kind}-webhook-configuration`;
  context.enable(
    PATCH,
    context.renderLines("blocks/configuration-variable.yaml", { type: kind.toUpperCase(), configuration }),
  );
  context.enable(
    ROLE,
    context.renderLines("blocks/injection-rule.yaml", {
      group: "admissionregistration.k8s.io",
      resource: CONFIGURATIONS[kind],
      name: configuration,
    }),
  );
}

/** Lets the manager write the CA bundle of a CRD whose versions it converts. */
export function permitConversion(context: ScaffoldContext, crdName: string): void {
  context.insert({
    path: ROLE,
    marker: "certificatesrule",
    lines: context.renderLines("blocks/injection-rule.yaml", {
      group: "apiextensions.k8s.io",
      resource: "customresourcedefinitions",
      name: crdName,
    }),
  });
}
