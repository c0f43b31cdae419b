import { describe, expect, it } from "vitest";

import { cleanEnvironment } from "../../src/verify/clean-environment.ts";

const PLACE = { home: "/tmp/home", kubeconfig: "/tmp/kubeconfig" };

describe("cleanEnvironment", () => {
  it("passes on what programs need, and nothing that holds credentials", () => {
    const own = {
      PATH: "/bin",
      LC_ALL: "C",
      HOME: "/home/user",
      KUBECONFIG: "/home/user/.kube/config",
      AWS_SECRET_ACCESS_KEY: "aws",
      GOOGLE_APPLICATION_CREDENTIALS: "/home/user/key.json",
      AZURE_CLIENT_SECRET: "azure",
      GITHUB_TOKEN: "github",
      NPM_TOKEN: "npm",
      SSH_AUTH_SOCK: "/tmp/ssh",
      KUBERNETES_SERVICE_HOST: "10.0.0.1",
      NODE_OPTIONS: "--require=/home/user/hook.js",
    };
    expect(cleanEnvironment(own, { ...PLACE, env: {} })).toEqual({
      PATH: "/bin",
      LC_ALL: "C",
      HOME: PLACE.home,
      USERPROFILE: PLACE.home,
      KUBECONFIG: PLACE.kubeconfig,
      AWS_EC2_METADATA_DISABLED: "true",
    });
  });

  it("adds the variables of the user", () => {
    expect(cleanEnvironment({}, { ...PLACE, env: { WATCH_NAMESPACE: "default" } })).toMatchObject({
      WATCH_NAMESPACE: "default",
      KUBECONFIG: PLACE.kubeconfig,
    });
  });
});
