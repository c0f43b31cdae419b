import { readdirSync } from "node:fs";

import { CLUSTER_FLAGS, SIMULATED_FLAGS } from "@kubescaffold/envtest/kube-apiserver";
import { describe, expect, it } from "vitest";

import { apiserverCommand } from "../../../../src/cli/commands/apiserver/apiserver.ts";
import { runCommand } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

describe("apiserver", () => {
  it("lists the flags that the server simulates, with their defaults", () => {
    const listed = apiserverCommand.flags.map(({ name, help, default: fallback }) => ({ name, help, fallback }));
    const served = [...CLUSTER_FLAGS, ...SIMULATED_FLAGS];
    expect(listed).toEqual(served.map(({ name, help, default: fallback }) => ({ name, help, fallback })));
  });

  it("prints its help, and refuses flags that the server does not simulate", async () => {
    const folder = temporaryFolder();
    expect((await runCommand(folder, "apiserver --help")).stdout).toContain("--service-account-signing-key-file");
    const refused = await runCommand(folder, "apiserver --secure-port=0 --oidc-issuer-url=https://x");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain(
      "cannot use --oidc-issuer-url=https://x: the embedded API server does not simulate this flag",
    );
  });

  it("refuses flags that need another one, before it writes anything", async () => {
    const folder = temporaryFolder();
    const words = "apiserver --secure-port=0 --kubeconfig=a --save-snapshot --cert-dir=certs";
    expect(await runCommand(folder, words)).toEqual({
      status: 1,
      stdout: "",
      stderr: `error: cannot use --save-snapshot without --snapshot [ENVTEST_SERVER_FLAG]
hint: add --snapshot, or remove --save-snapshot
`,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  it("names the flag that an unknown one is meant to be", async () => {
    expect(await runCommand(temporaryFolder(), "apiserver --secure-prt=0")).toEqual({
      status: 2,
      stdout: "",
      stderr: `error: unknown flag: --secure-prt [ENVTEST_UNKNOWN_SERVER_FLAG]
hint: did you mean --secure-port? kube-apiserver 1.37 does not have this flag either
`,
    });
  });
});
