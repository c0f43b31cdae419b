import { describe, expect, it } from "vitest";

import { unformatted } from "../support/format-check.ts";
import { INIT, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";
import { typeCheck } from "../support/type-check.ts";

const LIVENESS_MS = 300_000;
const GROUP = "some-very-long-group-name-for-folders.of.policies";
const CONTROLLER = "a-name-of-a-controller-that-is-as-long-as-labels-may-be-in-all";
const IMAGE =
  "--image=busybox:1.36 --image-container-command=sh,-c,true --image-container-port=80 --run-as-user=1001 --plugins=deploy-image/v1-alpha";

const BARE_IMAGE = "--image=busybox:1.36 --plugins=deploy-image/v1-alpha";

const nameOf = (start: string, length: number): string => `${start}${"indofthing".repeat(6)}`.slice(0, length);

describe.each([
  { length: 38, init: INIT, group: "crew", image: IMAGE },
  { length: 46, init: `${INIT} --multigroup`, group: "crew", image: IMAGE },
  { length: 59, init: INIT, group: "crew", image: BARE_IMAGE },
  { length: 59, init: `${INIT} --multigroup`, group: GROUP, image: IMAGE },
])("a project with kinds of $length letters in the group $group", ({ length, init, group, image }) => {
  it(
    "is as its formatter has it, type-checks, and goes without a trace",
    async () => {
      const root = temporaryFolder();
      await runCommands(root, init);
      const before = readFiles(root);
      const kind = `--group ${group} --kind ${nameOf("K", length)} --make=false`;
      const other = `--group crew --kind ${nameOf("Memc", length)} --make=false`;
      await runCommands(
        root,
        `create api ${kind} --version v1alpha1`,
        `create api ${kind} --version v1beta1 --controller=false`,
        `create webhook ${kind} --version v1alpha1 --defaulting --programmatic-validation --conversion --spoke v1beta1`,
        `create api ${kind} --version v1alpha1 --resource=false --controller-name ${CONTROLLER}`,
        `create api ${other} --version v1 ${image}`,
      );
      const files = readFiles(root);
      expect(await unformatted(files)).toEqual([]);
      // Schemas are generated, which takes the names as they are.
      const errors = typeCheck(files).filter((each) => !each.includes("zz_generated"));
      expect(errors).toEqual([]);
      await runCommands(
        root,
        `delete webhook ${kind} --version v1alpha1`,
        ...[`${kind} --version v1beta1 --not-stored`, `${kind} --version v1alpha1`, `${other} --version v1`].map(
          (each) => `delete api ${each}`,
        ),
      );
      expect(readFiles(root)).toEqual(before);
    },
    LIVENESS_MS,
  );
});
