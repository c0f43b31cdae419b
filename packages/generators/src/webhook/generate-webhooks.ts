import { printYamlDocuments } from "@kubescaffold/k8s/yaml";

import type { GeneratorInput, GeneratorOutput } from "../contract/generator.ts";
import type { ManifestResult } from "../crd/generate-crds.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TypeModel } from "../loader/type-model.ts";
import type { MarkerValue } from "../markers/definitions/marker-definition.ts";
import type { MarkedModel, MarkerUse } from "../markers/read-markers.ts";
import { compareBytes } from "../output/compare-bytes.ts";
import { createWebhook, type Webhook, type WebhookProblem } from "./webhook-object.ts";

/** Makes the webhook configurations that the markers of a model ask for, in one file. */
function generateWebhooks(
  { model, marked }: { readonly model: TypeModel; readonly marked: MarkedModel },
  header: string,
): ManifestResult {
  const diagnostics: Diagnostic[] = [];
  const report = (marker: MarkerUse, problem: WebhookProblem): void => void diagnostics.push(diagnose(marker, problem));
  const perPackage = model.packages.map((each) => marked.packages.get(each.directory) ?? []);
  const names = configurationNames(perPackage, report);
  const webhooks = perPackage
    .flatMap((markers) => collectWebhooks(markers, report))
    .toSorted((left, right) => compareBytes(left.name, right.name));
  const objects = [true, false].flatMap((isMutating) => {
    const own = webhooks.filter((webhook) => webhook.isMutating === isMutating);
    return own.length === 0 ? [] : [configuration(own, isMutating, names.get(isMutating))];
  });
  const manifests =
    objects.length === 0 ? [] : [{ name: "manifests.yaml", content: header + printYamlDocuments(objects) }];
  return { manifests, diagnostics };
}

function configurationNames(
  perPackage: readonly (readonly MarkerUse[])[],
  report: (marker: MarkerUse, problem: WebhookProblem) => void,
): ReadonlyMap<boolean, string> {
  const names = new Map<boolean, string>();
  for (const markers of perPackage) {
    const seen = new Set<boolean>();
    for (const marker of markers.filter((each) => each.name === "kubebuilder:webhookconfiguration")) {
      const { mutating, name = "" } = marker.value as Readonly<Record<string, MarkerValue>>;
      const isMutating = mutating === true;
      if (seen.has(isMutating)) {
        const word = isMutating ? "mutating" : "validating";
        report(marker, {
          message: `names the ${word} configuration twice in this package`,
          hint: "keep one of the two markers",
        });
      }
      seen.add(isMutating);
      names.set(isMutating, typeof name === "string" ? name : "");
    }
  }
  return names;
}

function collectWebhooks(
  markers: readonly MarkerUse[],
  report: (marker: MarkerUse, problem: WebhookProblem) => void,
): readonly Webhook[] {
  return markers
    .filter((marker) => marker.name === "kubebuilder:webhook")
    .flatMap((marker) => {
      const outcome = createWebhook(marker);
      if (outcome.kind === "webhook") return [outcome.webhook];
      report(marker, outcome.problem);
      return [];
    });
}

function configuration(
  webhooks: readonly Webhook[],
  isMutating: boolean,
  name: string | undefined,
): Readonly<Record<string, unknown>> {
  const word = isMutating ? "mutating" : "validating";
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: isMutating ? "MutatingWebhookConfiguration" : "ValidatingWebhookConfiguration",
    metadata: { name: name === undefined || name === "" ? `${word}-webhook-configuration` : name },
    webhooks: webhooks.map((webhook) => webhook.object),
  };
}

function diagnose({ name, location }: MarkerUse, { message, hint }: WebhookProblem): Diagnostic {
  return { severity: "error", code: "GENERATE_WEBHOOK", message: `+${name} ${message}`, hint, ...location };
}

/** Is the generator `webhook`: the webhook configurations that the sources ask for. */
export function webhookGenerator(input: GeneratorInput): GeneratorOutput {
  const { manifests, diagnostics } = generateWebhooks(input, input.header);
  return { artifacts: manifests.map((each) => ({ kind: "config", ...each })), diagnostics };
}
