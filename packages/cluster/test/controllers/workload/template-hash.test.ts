import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import { describe, expect, it } from "vitest";

import { defaultRelease, loadRelease } from "../../../../apiserver/src/release/release.ts";
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

const SMALL: PodTemplateSpec = {
  metadata: { labels: { app: "web" } },
  spec: { containers: [{ name: "c", image: "i" }] },
};

// Has structs to which versions have added fields, and a field that 1.35 alone has.
const CHANGED = {
  metadata: { labels: { a: "1" } },
  spec: {
    workloadRef: { name: "w", podGroup: "g" },
    containers: [{ name: "c", image: "i" }],
    volumes: [
      { name: "v", emptyDir: {} },
      { name: "w", configMap: { name: "m", items: [{ key: "k", path: "p" }] } },
    ],
  },
} as PodTemplateSpec;

describe("templateHash", () => {
  it("is the same for the same template in whatever order", () => {
    expect(templateHash(TEMPLATE, defaultRelease)).toBe(templateHash(REORDERED, defaultRelease));
    expect(templateHash(TEMPLATE, defaultRelease)).not.toBe(templateHash(OTHER, defaultRelease));
  });

  // Computed by Go with the modules of each version.
  it.each([
    ["1.34", "6d6fb7b8db", "5dc8d74c5d", "64d5d6cb4b"],
    ["1.35", "85b88db45f", "5488dfd647", "7b579d6694"],
    ["1.36", "568b685c5b", "bbc5dbcd4", "69d5c78f5b"],
    ["1.37", "cbb89b784", "6dc57cc888", "546cf498fd"],
  ])("is the one of kube-controller-manager %s", (minor, ...hashes) => {
    const release = loadRelease(minor);
    if (release === undefined) throw new Error(`there are no tables of ${minor}`);
    expect([SMALL, DETAILED, CHANGED].map((template) => templateHash(template, release))).toEqual(hashes);
  });

  it("differs with each counted collision", () => {
    const hashes = [undefined, 0, 1, 2].map((count) => templateHash(TEMPLATE, defaultRelease, count));
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
