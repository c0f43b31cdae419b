import {
  type CreateWebhookOptions,
  namesOf,
  type ProjectResource,
  type Scaffold,
  type ScaffoldContext,
} from "kubescaffold/plugin";

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
  context.renderTemplates("webhook", {
    values: { projectName: context.project.projectName ?? "" },
    ifExists: "skip",
  });
  context.insert({
    path: "config/network-policy/kustomization.yaml",
    marker: "networkpolicykustomizeresource",
    lines: ["- allow-webhook-traffic.yaml"],
  });
  enableWebhooks(context);
  if (validation) context.enable(DEFAULT, context.renderLines("blocks/validating-ca.yaml", {}));
  if (defaulting) context.enable(DEFAULT, context.renderLines("blocks/mutating-ca.yaml", {}));
  if (conversion) enableConversion(context, resource);
};

function enableConversion(context: ScaffoldContext, resource: ProjectResource): void {
  const { groupPrefix, plural, qualifiedGroup } = namesOf(context.project, resource);
  const file = `webhook_in_${groupPrefix}${plural}.yaml`;
  const crdName = `${plural}.${qualifiedGroup}`;
  context.renderTemplates("conversion", { values: { crdName }, paths: { file }, ifExists: "skip" });
  context.insert({ path: CRD, marker: "crdkustomizewebhookpatch", lines: [`- path: patches/${file}`] });
  context.enable(CRD, ["configurations:", "- kustomizeconfig.yaml"]);
  for (const [index, [field, marker]] of CA_PARTS.entries()) {
    context.insert({
      path: DEFAULT,
      marker,
      lines: context.renderLines("blocks/conversion-ca.yaml", { crdName, field, index: String(index) }),
    });
  }
  provideManifests(context);
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
  enable(DEFAULT, ["- ../certmanager"]);
  enable(DEFAULT, renderLines("blocks/manager-webhook-patch.yaml", {}));
  enable(DEFAULT, ["replacements:"]);
  enable(DEFAULT, renderLines("blocks/webhook-certificate.yaml", {}));
}
