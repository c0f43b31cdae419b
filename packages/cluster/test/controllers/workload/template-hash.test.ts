import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { TEMPLATE_HASH_LABEL, templateHash, templatesEqual } from "../../../src/controllers/workload/revisions.ts";

const TEMPLATE = { metadata: { labels: { a: "1", b: "2" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const REORDERED = { spec: { containers: [{ image: "i", name: "c" }] }, metadata: { labels: { b: "2", a: "1" } } };
const OTHER = { ...TEMPLATE, spec: { containers: [{ name: "c", image: "j" }] } };

const DETAILED: PodTemplateSpec = {
  metadata: { labels: { b: "2", a: "1" }, annotations: {} },
  spec: {
    restartPolicy: "Always",
    terminationGracePeriodSeconds: 30,
    dnsPolicy: "ClusterFirst",
    securityContext: {},
    schedulerName: "default-scheduler",
    containers: [
      {
        name: "web",
        image: "nginx:1.27",
        command: [],
        ports: [{ containerPort: 80, protocol: "TCP" }],
        resources: { requests: { memory: "1Gi", cpu: "100m" }, limits: { memory: "100Ti", cpu: "1k" } },
        terminationMessagePath: "/dev/termination-log",
        terminationMessagePolicy: "File",
        imagePullPolicy: "IfNotPresent",
        readinessProbe: { httpGet: { path: "/", port: "http", scheme: "HTTP" }, timeoutSeconds: 1 },
      },
    ],
    volumes: [{ name: "v", emptyDir: { sizeLimit: "1536Mi" } }],
  },
};

describe("templateHash", () => {
  it("is the same for the same template in whatever order", () => {
    expect(templateHash(TEMPLATE)).toBe(templateHash(REORDERED));
    expect(templateHash(TEMPLATE)).not.toBe(templateHash(OTHER));
  });

  // Computed by Go.
  it.each([
    ["85b88db45f", { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } }],
    ["5488dfd647", DETAILED],
  ])("is the one of kube-controller-manager: %s", (hash, template) => {
    expect(templateHash(template)).toBe(hash);
  });

  it("differs with each counted collision", () => {
    const hashes = [undefined, 0, 1, 2].map((count) => templateHash(TEMPLATE, count));
    expect(new Set(hashes).size).toBe(4);
    expect(hashes[0]).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]{1,10}$/u);
  });
});

describe("templatesEqual", () => {
  it("does not look at the hash label", () => {
    const labelled = { ...TEMPLATE, metadata: { labels: { ...TEMPLATE.metadata.labels, [TEMPLATE_HASH_LABEL]: "x" } } };
    expect(templatesEqual(labelled, REORDERED)).toBe(true);
    expect(templatesEqual(labelled, OTHER)).toBe(false);
  });
});
