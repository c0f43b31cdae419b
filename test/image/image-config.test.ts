import { describe, expect, it } from "vitest";

import { extendConfig, type ImageSettings } from "../../src/image/image-config.ts";
import type { ImageConfig } from "../../src/image/manifest.ts";

const BASE: ImageConfig = {
  os: "linux",
  architecture: "amd64",
  config: { Env: ["PATH=/bin", "A=1"], Entrypoint: ["/node"], Cmd: ["a.js"], User: "1000", StopSignal: "SIGHUP" },
  rootfs: { type: "layers", diff_ids: ["sha256:one"] },
  history: null,
};
const NOTHING: ImageSettings = { environment: {}, labels: {}, ports: [] };
const LAYER = { diffId: "sha256:two", created: "2020-01-01T00:00:00Z", createdBy: "test" };

describe("extendConfig", () => {
  it("keeps what the base says of all that no setting is about", () => {
    expect(extendConfig(BASE, NOTHING, LAYER)).toEqual({
      ...BASE,
      created: LAYER.created,
      rootfs: { type: "layers", diff_ids: ["sha256:one", "sha256:two"] },
      history: [{ created: LAYER.created, created_by: "test" }],
    });
  });

  it("drops the command of the base when there is another entry point, unless a command comes with it", () => {
    const entrypoint = ["/node", "/manager.mjs"];
    expect(extendConfig(BASE, { ...NOTHING, entrypoint }, LAYER).config).not.toHaveProperty("Cmd");
    expect(extendConfig(BASE, { ...NOTHING, entrypoint, command: ["-v"] }, LAYER).config).toMatchObject({
      Entrypoint: entrypoint,
      Cmd: ["-v"],
    });
    expect(extendConfig(BASE, { ...NOTHING, command: ["-v"] }, LAYER).config).toMatchObject({
      Entrypoint: ["/node"],
      Cmd: ["-v"],
    });
  });

  it("sets variables in the place that they have, and adds others, labels and ports in order", () => {
    const settings = {
      ...NOTHING,
      environment: { A: "2", B: "=" },
      labels: { b: "2", a: "1" },
      ports: ["9/udp", "8/tcp"],
    };
    const { config } = extendConfig(BASE, settings, LAYER);
    expect(config?.Env).toEqual(["PATH=/bin", "A=2", "B=="]);
    expect(JSON.stringify([config?.Labels, config?.ExposedPorts])).toBe('[{"a":"1","b":"2"},{"8/tcp":{},"9/udp":{}}]');
  });
});
