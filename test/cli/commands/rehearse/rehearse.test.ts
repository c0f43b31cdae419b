import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../../../architecture/source-files.ts";
import { runCommand } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const PROJECT = 'domain: example.com\nlayout:\n- typescript.kubescaffold.dev/v1\nprojectName: shop\nversion: "3"\n';
const OPERATOR = path.join(ROOT, "packages/envtest/test/rehearse/operator");

describe("scaffold rehearse", () => {
  it.each([
    ["", 'required flag(s) "from" not set'],
    ["--from v1", "this project is in no repository of git"],
    ["--from ../absent", "is no project"],
    ["--from ./chart", "is a chart, which contains no manager"],
    ["--from ./image", "is an image layout, from which no manager is started"],
    ["--from ./former --samples absent", "absent"],
    ["--from ./former --samples empty", "there are no objects that an upgrade could harm"],
    [`--from ${OPERATOR} --accept restart`, 'there is no oracle "restart" to accept'],
    ["--from ./former --env A-B=1", 'invalid value "A-B=1" for flag --env'],
    ["--unknown", "unknown flag"],
  ])("exits with 2 for invalid usage: %s", async (flags, message) => {
    const root = temporaryFolder({
      PROJECT,
      "former/PROJECT": PROJECT,
      "empty/README": "",
      "chart/Chart.yaml": "",
      "image/oci-layout": "{}",
    });
    const { status, stderr } = await runCommand(root, `rehearse ${flags}`.trim());
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(message) });
  });

  it("exits with 2 outside of a project", async () => {
    const { status, stderr } = await runCommand(temporaryFolder(), "rehearse --from v1");
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("is no project") });
  });
});
