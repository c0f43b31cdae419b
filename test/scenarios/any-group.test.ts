import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { groupIdentifier, pascalCase } from "../../src/project/resource-names.ts";
import { runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";
import { typeCheck } from "../support/type-check.ts";

const LIVENESS_MS = 600_000;
const LABEL = "[a-z0-9](?:[-a-z0-9]{0,6}[a-z0-9])?";
const GROUP = fc.stringMatching(new RegExp(String.raw`^${LABEL}(?:\.${LABEL})?$`, "u"));
const IMAGE = "--image=memcached:1.6 --plugins=deploy-image.ts.kubescaffold.dev/v1-alpha";

describe("any group of a project with several groups", () => {
  it("has names that are identifiers", () => {
    fc.assert(
      fc.property(GROUP, (group) => {
        expect(groupIdentifier(group)).toMatch(/^[a-z][A-Za-z0-9]*$/u);
        expect(pascalCase(group)).toMatch(/^[A-Z][A-Za-z0-9]*$/u);
      }),
    );
  });

  it(
    "gets code that type-checks",
    async () => {
      const root = temporaryFolder();
      await runCommands(root, "init --domain demo --project-name groups --skip-install", "edit --multigroup");
      const groups = new Set([
        "3scale",
        "0",
        "sea-creatures",
        "foo.policy",
        "9a.8b",
        ...fc.sample(GROUP, { numRuns: 4, seed: 3 }),
      ]);
      for (const group of groups) {
        const gvk = `--group ${group} --version v1 --kind Anchor --make=false`;
        await runCommands(
          root,
          `create api ${gvk}`,
          `create api ${gvk.replace("Anchor", "Buoy")} ${IMAGE}`,
          `create api ${gvk.replace("v1", "v2")} --controller=false`,
          `create webhook ${gvk} --defaulting --programmatic-validation --conversion --spoke v2`,
        );
      }
      await runCommands(root, "manifests", "generate");
      const files = readFiles(root);
      expect(typeCheck(files)).toEqual([]);
      expect(files["config/manager/manager.yaml"]).toContain("- name: N3SCALE_BUOY_IMAGE\n");
    },
    LIVENESS_MS,
  );
});
