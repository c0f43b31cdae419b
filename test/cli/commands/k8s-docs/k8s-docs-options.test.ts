import { describe, expect, it } from "vitest";

import { runCommand } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

describe("flags of k8s-docs that do not fit together", () => {
  it.each([
    ["--offline --refresh", "cannot refresh the descriptions offline"],
    ["--from elsewhere", "elsewhere"],
    ["--from package --context dev", "cannot use --context with --from=package: no cluster is read"],
    ["--from package --kubeconfig dev.yaml", "cannot use --kubeconfig with --from=package: no cluster is read"],
    ["--kubectl kubectl", "cannot use --kubectl without --from=cluster: no cluster is read"],
    ["--from cluster --offline", "cannot use --offline with --from=cluster: a cluster is read each time"],
    ["--kubeconfig dev.yaml --offline", "cannot use --offline with --kubeconfig: a cluster is read each time"],
    ["--context dev --offline", "cannot use --offline with --context: a cluster is read each time"],
    ["--from go", "cannot use --from=go without --output-file"],
    ["--from go --output-file a.json --offline", "cannot use --offline with --from=go"],
    ["--from go --output-file a.json --kubeconfig dev.yaml", "cannot use --kubeconfig with --from=go"],
    ["--from go --output-file a.json --context dev", "cannot use --context with --from=go"],
    ["--from go --output-file a.json --kubectl k", "cannot use --kubectl with --from=go"],
    ["--from go --output-file a.json --types", "cannot use --types with --from=go"],
    ["--from go --output-file a.json --no-types", "cannot use --no-types with --from=go"],
    ["--remove --no-types", "cannot use --no-types with --remove: the descriptions are removed"],
    ["--remove --offline", "cannot use --offline with --remove: the descriptions are removed"],
    ["--remove --from package", "cannot use --from with --remove"],
    ["--remove --output-file a.json", "cannot use --output-file with --remove"],
  ])("are an error: %s", async (flags, message) => {
    const root = temporaryFolder();
    const { status, stdout, stderr } = await runCommand(root, `k8s-docs ${flags}`);
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(message);
    expect(stderr).toContain("[CLI_INVALID_FLAG]");
    expect(readFiles(root)).toEqual({});
  });
});
