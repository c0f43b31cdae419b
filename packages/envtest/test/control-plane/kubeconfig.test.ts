import type { RestConfig } from "@kubescaffold/k8s";
import { parseKubeconfig, restConfigOf } from "@kubescaffold/runtime";
import { expect, test } from "vitest";

import { kubeconfigOf } from "../../src/control-plane/kubeconfig.ts";

const readBack = async (config: RestConfig): Promise<RestConfig> =>
  restConfigOf(parseKubeconfig(kubeconfigOf(config), { source: "test", folder: "." }));

test.each<[string, RestConfig]>([
  ["a token", { server: "https://127.0.0.1:1", tls: { ca: "CA" }, credentials: { kind: "token", token: "secret" } }],
  [
    "a client certificate",
    { server: "https://127.0.0.1:1/prefix", tls: { ca: "CA", cert: "CERT", key: "KEY", serverName: "kubernetes" } },
  ],
  [
    "a name and password",
    { server: "https://127.0.0.1:1", credentials: { kind: "basic", username: "u", password: "p" } },
  ],
  [
    "impersonation",
    {
      server: "https://127.0.0.1:1",
      tls: { insecureSkipTlsVerify: true },
      impersonate: { userName: "jane", groups: ["a", "b"], extra: { k: ["v"] } },
    },
  ],
])("a kubeconfig with %s reads back as the config it was made from", async (_title, config) => {
  expect(await readBack(config)).toMatchObject(config);
});

test("a config without an address for other processes has no kubeconfig", () => {
  expect(() => kubeconfigOf({ server: "memory://embedded" })).toThrow(
    expect.objectContaining({ code: "ENVTEST_UNSUPPORTED" }),
  );
});
