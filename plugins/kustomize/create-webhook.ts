import type { CreateWebhookOptions, Scaffold, ScaffoldContext } from "kubescaffold/plugin";

const DEFAULT = "config/default/kustomization.yaml";

/** Writes what webhooks need: their Service, certificates and a network policy, and switches them on in `config/default`. */
export const createWebhook: Scaffold<CreateWebhookOptions> = (context, { defaulting, validation }) => {
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
};

function enableWebhooks({ enable, renderLines }: ScaffoldContext): void {
  enable(DEFAULT, ["- ../webhook"]);
  enable(DEFAULT, ["- ../certmanager"]);
  enable(DEFAULT, renderLines("blocks/manager-webhook-patch.yaml", {}));
  enable(DEFAULT, ["replacements:"]);
  enable(DEFAULT, renderLines("blocks/webhook-certificate.yaml", {}));
}
