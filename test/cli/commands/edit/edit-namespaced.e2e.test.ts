import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { converse, KEYS } from "../../../support/converse.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const MAIN = "cmd/main.ts";
const MANAGER = "config/manager/manager.yaml";
const CONTROLLER = "internal/controller/guestbook_controller.ts";
const LIVENESS_MS = 300_000;
const withMake = (line: string): string => line.replace(" --make=false", "");

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, ...lines);
  return root;
}

function change(root: string, file: string, edit: (text: string) => string): void {
  writeFileSync(path.join(root, file), edit(readFileSync(path.join(root, file), "utf8")));
}

const IMAGE =
  "create api --group webapp --version v1alpha1 --kind Memcached --image=memcached:1.6 --image-container-port=11211 --plugins=deploy-image/v1-alpha";

const PROJECTS: readonly (readonly [string, readonly string[]])[] = [
  ["an empty project", ["manifests"]],
  ["an API with webhooks and manifests", [withMake(CREATE_API), withMake(CREATE_WEBHOOK)]],
  [
    "kinds of the project, of Kubernetes and of the cluster, with several controllers",
    [
      CREATE_API,
      "create api --group webapp --version v1 --kind Visitor --namespaced=false --make=false",
      "create api --group webapp --version v1 --kind Guestbook --resource=false --controller-name guestbook-backup --make=false",
      "create api --group apps --version v1 --kind Deployment --resource=false --make=false",
      "create webhook --group core --version v1 --kind Pod --programmatic-validation",
    ],
  ],
  [
    "several groups, without a license",
    [
      "edit --multigroup --license none",
      CREATE_API,
      "create api --group crew --version v1 --kind Guestbook --make=false",
      withMake(CREATE_WEBHOOK),
    ],
  ],
  ["a kind whose objects run an image", [CREATE_API, IMAGE]],
  [
    "versions that convert",
    [
      CREATE_API,
      "create api --group webapp --version v2 --kind Guestbook --controller=false --make=false",
      "create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2",
    ],
  ],
];

describe("edit --namespaced", { timeout: LIVENESS_MS }, () => {
  it.for(PROJECTS)("makes of %s what it would be if it had been so from the start, and back", async ([, lines]) => {
    const [edited, fresh] = [await project(INIT, ...lines), await project(`${INIT} --namespaced`, ...lines)];
    const [before, scoped] = [readFiles(edited), readFiles(fresh)];
    expect(scoped["config/rbac/role.yaml"]).toMatch(/^kind: Role$/mu);
    await runCommands(edited, "edit --namespaced");
    expect(readFiles(edited)).toEqual(scoped);
    await runCommands(edited, "edit --namespaced=false");
    expect(readFiles(edited)).toEqual(before);
    await runCommands(fresh, "edit --namespaced=false");
    expect(readFiles(fresh)).toEqual(before);
  });

  it("leaves the role that nobody generated yet as a template with --make=false", async () => {
    const [edited, fresh] = [await project(INIT, CREATE_API), await project(`${INIT} --namespaced`, CREATE_API)];
    await runCommands(edited, "edit --namespaced --make=false");
    expect(readFiles(edited)).toEqual(readFiles(fresh));
  });

  it("together with --multigroup makes of a project what both would", async () => {
    const lines = [withMake(CREATE_API), withMake(CREATE_WEBHOOK)];
    const [once, twice] = [await project(INIT, ...lines), await project(INIT, ...lines)];
    await runCommands(once, "edit --namespaced --multigroup");
    await runCommands(twice, "edit --multigroup", "edit --namespaced");
    expect(readFiles(once)).toEqual(readFiles(twice));
  });

  it("keeps what was changed by hand, and scopes the permissions that were added", async () => {
    const root = await project(INIT, withMake(CREATE_API));
    const extra = "// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list";
    const own = "// +kubebuilder:rbac:groups=batch,namespace=jobs,resources=jobs,verbs=get";
    const nodes = '// +kubebuilder:rbac:groups="",resources=nodes,verbs=get';
    change(root, CONTROLLER, (text) =>
      text.replace("  // +kubebuilder:rbac", `  ${extra}\n  ${own}\n  // +kubebuilder:rbac`),
    );
    change(root, MAIN, (text) => text.replace("  setupLog.info(", '  setupLog.info("mine");\n  setupLog.info('));
    change(root, MANAGER, (text) =>
      text.replace("#        env:\n", '        env:\n        - name: LEVEL\n          value: "5"\n'),
    );
    writeFiles(root, { "internal/nodes.ts": `${nodes}\nexport const nodes = 1;\n` });
    await runCommands(root, "manifests");
    const before = readFiles(root);
    const { stdout, status } = await runCommand(root, "edit --namespaced");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("resources=nodes,verbs=get\n") });
    const files = readFiles(root);
    expect(files[CONTROLLER]).toContain(extra.replace("groups=apps,", "groups=apps,namespace=guestbook-system,"));
    expect(files[CONTROLLER]).toContain(own);
    expect(files["internal/nodes.ts"]).toBe(before["internal/nodes.ts"]);
    expect(files[MAIN]).toContain('setupLog.info("mine");');
    expect(files[MAIN]).toContain("cache: { defaultNamespaces: watchNamespaces() },");
    const [, deployment] = (files[MANAGER] ?? "").split("---\n");
    const { spec } = parse(deployment ?? "") as DeploymentFile;
    expect(spec.template.spec.containers[0]?.env.map(({ name }) => name)).toEqual(["WATCH_NAMESPACE", "LEVEL"]);
    await runCommands(root, "edit --namespaced=false");
    expect(readFiles(root)).toEqual(before);
  });

  it("refuses files that were changed where the setting belongs, shows what belongs there, and changes nothing", async () => {
    const root = await project(INIT, withMake(CREATE_API));
    change(root, "config/rbac/role_binding.yaml", (text) =>
      text.replace("kind: ClusterRole\n", "kind: ClusterRole # x\n"),
    );
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, "edit --namespaced");
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("[CLI_UNMERGED_FILES]") });
    expect(stderr).toContain("+++ b/config/rbac/role_binding.yaml\n");
    expect(stderr).toContain("\n-  kind: ClusterRole\n+  kind: Role\n");
    expect(readFiles(root)).toEqual(before);
    const asked = await converse(root, "edit --namespaced --force", [
      ["Replace config/rbac/role_binding.yaml as shown above? [y/N]", KEYS.enter],
    ]);
    expect(asked).toMatchObject({ status: 1, unasked: [] });
    expect(readFiles(root)).toEqual(before);
    const forced = await runCommand(root, "edit --namespaced --force");
    expect(forced).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("replaced config/rbac/role_binding.yaml"),
    });
    expect(readFiles(root)).toEqual(readFiles(await project(`${INIT} --namespaced`, withMake(CREATE_API))));
  });

  it("takes files in which the change was made by hand", async () => {
    const root = await project(INIT, withMake(CREATE_API));
    const fresh = readFiles(await project(`${INIT} --namespaced`, withMake(CREATE_API)));
    writeFiles(root, { "config/rbac/role_binding.yaml": fresh["config/rbac/role_binding.yaml"] ?? "" });
    await runCommands(root, "edit --namespaced");
    expect(readFiles(root)).toEqual(fresh);
  });

  it("writes nothing on a dry run, and nothing at all when the setting is there", async () => {
    const root = await project(INIT, CREATE_API);
    const before = readFiles(root);
    const dry = await runCommand(root, "edit --namespaced --dry-run");
    expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining("+        - name: WATCH_NAMESPACE\n") });
    expect(await runCommand(root, "edit --namespaced=false")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("already has these settings"),
    });
    expect(readFiles(root)).toEqual(before);
  });
});

interface DeploymentFile {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly { readonly env: readonly { readonly name: string }[] }[] };
    };
  };
}
