import { describe, expect, it } from "vitest";

import type { Image } from "../../../src/image/build-image.ts";
import { createContent, createJsonContent } from "../../../src/image/descriptor.ts";
import { parseReference } from "../../../src/image/reference.ts";
import { pushImage, type BlobOutcome } from "../../../src/image/registry/push-image.ts";
import { createRegistryClient } from "../../../src/image/registry/registry-client.ts";
import { TestRegistry } from "../../support/test-registry.ts";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const LAYER = createContent(Buffer.from("layer"), "application/vnd.oci.image.layer.v1.tar+gzip");
const CONFIG = createJsonContent({}, "application/vnd.oci.image.config.v1+json");
const ROOT = createJsonContent(
  { schemaVersion: 2, mediaType: MANIFEST, config: CONFIG.descriptor, layers: [LAYER.descriptor] },
  MANIFEST,
);

function imageFrom(registry: TestRegistry, home?: string): Image {
  const blobs = [CONFIG, LAYER].map(({ descriptor, bytes }) => ({
    descriptor,
    read: async () => bytes,
    ...(home === undefined ? {} : { home: { registry: registry.host, repository: home } }),
  }));
  return { root: ROOT, manifests: [], blobs, referrers: [], attachments: [] };
}

async function push(registry: TestRegistry, image: Image): Promise<readonly BlobOutcome[]> {
  const outcomes: BlobOutcome[] = [];
  const client = createRegistryClient({
    registry: registry.host,
    credentials: undefined,
    isInsecure: false,
    fetch,
    wait: async () => undefined,
  });
  const names = [parseReference(`${registry.host}/team/x:v1`)];
  await pushImage({ client, image, names, onBlob: (_, outcome) => void outcomes.push(outcome) });
  return outcomes;
}

describe("pushImage", () => {
  it("names the image last, after all that it consists of", async () => {
    const registry = await TestRegistry.start();
    expect(await push(registry, imageFrom(registry))).toEqual(["uploaded", "uploaded"]);
    const puts = registry.paths("PUT");
    expect(puts.at(-1)).toBe("/v2/team/x/manifests/v1");
    expect(puts.slice(0, -1).every((path) => path.startsWith("/v2/team/x/blobs/uploads/"))).toBe(true);
    expect(registry.repository("team/x").manifests.get("v1")?.bytes.equals(Buffer.from(ROOT.bytes))).toBe(true);
  });

  it("names nothing when a blob cannot be sent", async () => {
    const registry = await TestRegistry.start();
    registry.fault = ({ method, path }) =>
      method === "PUT" && path.includes("/blobs/") ? { kind: "status", status: 403 } : undefined;
    await expect(push(registry, imageFrom(registry))).rejects.toMatchObject({ code: "IMAGE_REGISTRY_DENIED" });
    expect(registry.repository("team/x").manifests.size).toBe(0);
  });

  it("gets through every request failing once", async () => {
    const registry = await TestRegistry.start();
    const failed = new Set<string>();
    registry.fault = ({ method, path }) => {
      const key = `${method} ${path}`;
      if (failed.has(key)) return undefined;
      failed.add(key);
      return failed.size % 2 === 0 ? { kind: "cut" } : { kind: "status", status: 503 };
    };
    expect(await push(registry, imageFrom(registry))).toEqual(["uploaded", "uploaded"]);
    expect(registry.repository("team/x").manifests.has("v1")).toBe(true);
  });

  it("begins an upload once more that ended with the connection", async () => {
    const registry = await TestRegistry.start();
    let breaks = 1;
    registry.fault = ({ method }) => {
      if (method !== "PUT" || breaks === 0) return undefined;
      breaks -= 1;
      registry.forgetUploads();
      return { kind: "cut" };
    };
    expect(await push(registry, imageFrom(registry))).toEqual(["uploaded", "uploaded"]);
    expect(registry.paths("POST")).toHaveLength(3);
  });

  it("sends a blob whole when the registry lets nothing be taken from where it is", async () => {
    const registry = await TestRegistry.start();
    registry.repository("base").blobs.set(LAYER.descriptor.digest, Buffer.from(LAYER.bytes));
    registry.fault = ({ path }) => (path.includes("mount=") ? { kind: "status", status: 401 } : undefined);
    expect(await push(registry, imageFrom(registry, "base"))).toEqual(["uploaded", "uploaded"]);
  });

  it("does not believe a registry that stores something else", async () => {
    const registry = await TestRegistry.start();
    registry.fault = ({ method, path }) =>
      method === "PUT" && path.includes("/manifests/")
        ? { kind: "status", status: 201, headers: { "docker-content-digest": `sha256:${"0".repeat(64)}` } }
        : undefined;
    await expect(push(registry, imageFrom(registry))).rejects.toMatchObject({ code: "IMAGE_REGISTRY_FAILED" });
  });
});
