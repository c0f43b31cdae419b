import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { applyKustomizeSettings } from "../../../src/go-project/kustomizations/kustomize-settings.ts";

const OWN = `namespace: a-system
namePrefix: a-

resources:
- ../crd
- ../webhook
#- ../prometheus

patches:
- path: manager_metrics_patch.yaml
  target:
    kind: Deployment
#- path: cert_metrics_manager_patch.yaml
#  target:
#    kind: Deployment

#replacements:
# [METRICS-WITH-CERTS] The name of the metrics Service.
#- source:
#    kind: Service
#    name: metrics
#  targets:
#    - select: # [PROMETHEUS-WITH-CERTS]
#        kind: Certificate
`;

const GO = `namespace: b
resources:
- ../crd
- ../prometheus
patches:
- path: manager_metrics_patch.yaml
  target: {kind: Deployment}
- path: cert_metrics_manager_patch.yaml
  target: {kind: Deployment}
replacements:
- source: {kind: Service, name: metrics}
  targets: [{select: {kind: Certificate}}]
`;

describe("applyKustomizeSettings", () => {
  it("switches on and off what the Go project has on and off", () => {
    const { text, notMapped } = applyKustomizeSettings(OWN, GO);
    expect(readYaml(text)).toEqual(readYaml(GO));
    expect(notMapped).toEqual([]);
  });

  it("changes nothing where the settings are the same", () => {
    expect(applyKustomizeSettings(OWN, OWN).text).toBe(OWN);
  });

  it("names what it has no part for", () => {
    const go = `${OWN}images: []\n`.replace("- ../crd\n", "- ../crd\n- ../sails\n");
    const { notMapped } = applyKustomizeSettings(OWN, go);
    expect(notMapped.map(({ what }) => what)).toEqual([
      "config/default/kustomization.yaml: ../sails",
      "config/default/kustomization.yaml: images",
    ]);
  });
});
