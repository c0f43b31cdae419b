import {
  certificateIssuerOf,
  type CreateWebhookOptions,
  namesOf,
  type ProjectResource,
  type Scaffold,
  type ScaffoldContext,
} from "kubescaffold/plugin";

import { enableSelfManaged, permitConversion, permitInjection } from "./self-managed.ts";

const DEFAULT = "config/default/kustomization.yaml";
const CRD = "config/crd/kustomization.yaml";
const MANIFESTS = "config/webhook/manifests.yaml";

// The annotation that names the certificate is filled in from two places.
const CA_PARTS = [
  ["namespace", "crdkustomizecainjectionns"],
  ["name", "crdkustomizecainjectionname"],
] as const;

/** Writes what webhooks need: their Service, certificates and a network policy, and switches them on in `config/default`. */
export const createWebhook: Scaffold<CreateWebhookOptions> = (context, options) => {
  const { resource, defaulting, validation, conversion } = options;
  const isSelfManaged = certificateIssuerOf(context.project) === "self-managed";
  context.renderTemplates("webhook", {
    values: { projectName: context.project.projectName ?? "", isSelfManaged },
    ifExists: "skip",
    without: (path) => isSelfManaged && path.startsWith("config/certmanager/"),
  });
  context.insert({
    path: "config/network-policy/kustomization.yaml",
    marker: "networkpolicykustomizeresource",
    lines: ["- allow-webhook-traffic.yaml"],
  });
  enableWebhooks(context);
  if (isSelfManaged) enableSelfManaged(context);
  else enableCertManager(context);
  for (const [isMade, kind] of [
    [validation, "validating"],
    [defaulting, "mutating"],
  ] as const) {
    if (!isMade) continue;
    if (isSelfManaged) permitInjection(context, kind);
    else context.enable(DEFAULT, context.renderLines(`blocks/${kind}-ca.yaml`, {}));
  }
  if (conversion) enableConversion(context, resource, isSelfManaged);
};

function enableConversion(context: ScaffoldContext, resource: ProjectResource, isSelfManaged: boolean): void {
  const { groupPrefix, plural, qualifiedGroup } = namesOf(context.project, resource);
  const file = `webhook_in_${groupPrefix}${plural}.yaml`;
  const crdName = `${plural}.${qualifiedGroup}`;
  context.renderTemplates("conversion", { values: { crdName }, paths: { file }, ifExists: "skip" });
  context.insert({ path: CRD, marker: "crdkustomizewebhookpatch", lines: [`- path: patches/${file}`] });
  context.enable(CRD, ["configurations:", "- kustomizeconfig.yaml"]);
  if (isSelfManaged) permitConversion(context, crdName);
  else injectConversion(context, crdName);
  provideManifests(context);
}

function injectConversion(context: ScaffoldContext, crdName: string): void {
  for (const [index, [field, marker]] of CA_PARTS.entries()) {
    context.insert({
      path: DEFAULT,
      marker,
      lines: context.renderLines("blocks/conversion-ca.yaml", { crdName, field, index: String(index) }),
    });
  }
}

// The generators write this file for other webhooks alone, and kustomize wants it to be there.
function provideManifests({ project, tree }: ScaffoldContext): void {
  const hasOthers = (project.resources ?? []).some(
    ({ webhooks = {} }) => webhooks.defaulting === true || webhooks.validation === true,
  );
  if (!hasOthers) tree.create(MANIFESTS, "# No webhooks but those that convert.\n", { ifExists: "skip" });
}

function enableWebhooks({ enable, renderLines }: ScaffoldContext): void {
  enable(DEFAULT, ["- ../webhook"]);
  enable(DEFAULT, renderLines("blocks/manager-webhook-patch.yaml", {}));
}

function enableCertManager({ enable, renderLines }: ScaffoldContext): void {
  enable(DEFAULT, ["- ../certmanager"]);
  enable(DEFAULT, ["replacements:"]);
  enable(DEFAULT, renderLines("blocks/webhook-certificate.yaml", {}));
}
