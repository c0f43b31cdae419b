import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import type { Deployment } from "@kubescaffold/k8s/apps/v1";
import { readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../../../test/support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../test/support/temporary-folder.ts";

const PLUGIN = "--plugins=deploy-image/v1-alpha";
const GVK = "--group example.com --version v1alpha1 --kind Memcached";
const OPTIONS =
  "--image=memcached:1.4.36-alpine --image-container-command=memcached,-m=64,-o,modern,-v --image-container-port=11211 --run-as-user=1001";
const CREATE = `create api ${GVK} ${OPTIONS} ${PLUGIN} --make=false`;
const DELETE = `delete api ${GVK} --make=false`;

const TYPES = "api/v1alpha1/memcached_types.ts";
const CONTROLLER = "internal/controller/memcached_controller.ts";
const WORKLOAD = "internal/controller/memcached_workload.ts";
const SAMPLE = "config/samples/example.com_v1alpha1_memcached.yaml";
const MANAGER = "config/manager/manager.yaml";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

function variablesIn(root: string): readonly string[] {
  const text = readFiles(root)[MANAGER] ?? "";
  return [...text.matchAll(/- name: (?<name>\w+_IMAGE)\n +value: (?<value>.*)/gu)].map((match) => {
    const { name = "", value = "" } = match.groups ?? {};
    return `${name}=${value}`;
  });
}

describe("create api with an image", () => {
  it("writes types, a sample, a controller with its test, and the image into the manager's environment", async () => {
    const root = await project();
    const before = Object.keys(readFiles(root));
    await runCommands(root, CREATE);
    const files = readFiles(root);
    const isOwn = (file: string): boolean => /^(?:api|internal)\//u.test(file) || file === SAMPLE;
    expect(Object.keys(files).filter((file) => !before.includes(file) && isOwn(file))).toEqual([
      "api/v1alpha1/groupversion_info.ts",
      TYPES,
      SAMPLE,
      "internal/controller/conditions.test.ts",
      "internal/controller/conditions.ts",
      "internal/controller/memcached_controller.test.ts",
      CONTROLLER,
      WORKLOAD,
      "internal/controller/suite.ts",
    ]);
    expect(files[SAMPLE]).toMatch(/\nspec:\n {2}size: 1\n {2}containerPort: 11211\n$/u);
    expect(files[TYPES]).toContain("+kubebuilder:default=11211\n");
    expect(files[WORKLOAD]).toContain('COMMAND: readonly string[] = ["memcached", "-m=64", "-o", "modern", "-v"];');
    expect(files["cmd/main.ts"]).toContain("await new MemcachedReconciler(mgr.getClient()).setupWithManager(mgr);");
    expect(variablesIn(root)).toEqual(['MEMCACHED_IMAGE="memcached:1.4.36-alpine"']);
  });

  it("keeps the options in PROJECT, by upstream's keys", async () => {
    const root = await project(CREATE);
    expect(readFiles(root)["PROJECT"]).toContain(
      [
        "plugins:",
        "  deploy-image.ts.kubescaffold.dev/v1-alpha:",
        "    resources:",
        "    - domain: demo",
        "      group: example.com",
        "      kind: Memcached",
        "      options:",
        "        containerCommand: memcached,-m=64,-o,modern,-v",
        '        containerPort: "11211"',
        "        image: memcached:1.4.36-alpine",
        '        runAsUser: "1001"',
        "      version: v1alpha1",
        "",
      ].join("\n"),
    );
    expect(readFiles(root)["PROJECT"]).toContain("layout:\n- ts.kubescaffold.dev/v1\nplugins:");
  });

  it("writes nothing of ports, commands and users that are not given, and says what that means", async () => {
    const root = await project();
    const { status, stdout } = await runCommand(root, `create api ${GVK} --image=busybox ${PLUGIN} --make=false`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("has a mutable tag") });
    expect(stdout).toContain("--run-as-user");
    const files = readFiles(root);
    expect([files[TYPES], files[CONTROLLER], files[WORKLOAD], files[SAMPLE]].join("")).not.toMatch(
      /port[A-Z]|Port\b|COMMAND|runAsUser|Service\b(?! Account)/u,
    );
  });

  it.each([
    ["", "DEPLOY_IMAGE_MISSING"],
    ["--image-container-port=80", "DEPLOY_IMAGE_MISSING"],
    ["--image=", "DEPLOY_IMAGE_MISSING"],
    ["--image=Memcached", "DEPLOY_IMAGE_INVALID_IMAGE"],
    ["--image=nginx --image-container-port=0", "DEPLOY_IMAGE_INVALID_CONTAINER"],
    ["--image=nginx --image-container-port=65536", "DEPLOY_IMAGE_INVALID_CONTAINER"],
    ["--image=nginx --image-container-port=abc", "CLI_INVALID_FLAG"],
    ["--image=nginx --run-as-user=-1", "DEPLOY_IMAGE_INVALID_CONTAINER"],
    ["--image=nginx --run-as-user=0", "DEPLOY_IMAGE_INVALID_CONTAINER"],
    ["--image=nginx --image-container-command=a,,b", "DEPLOY_IMAGE_INVALID_CONTAINER"],
    ["--image=nginx --namespaced=false", "DEPLOY_IMAGE_INCOMPLETE_API"],
    ["--image=nginx --controller=false", "DEPLOY_IMAGE_INCOMPLETE_API"],
    ["--image=nginx --controller-name=other", "DEPLOY_IMAGE_INCOMPLETE_API"],
  ])("refuses `%s` with %s and writes nothing", async (flags, code) => {
    const root = await project();
    const files = readFiles(root);
    const line = ["create api", GVK, flags, PLUGIN, "--make=false"].filter((part) => part !== "").join(" ");
    expect(await runCommand(root, line)).toMatchObject({ status: 1, stderr: expect.stringContaining(code) });
    expect(readFiles(root)).toEqual(files);
  });
});

describe("create api with an image for a kind of a name that the code needs", () => {
  // What the templates import, by their own text: the list of refused names has them all.
  const TEMPLATES = path.join(import.meta.dirname, "../templates");
  const sources = readdirSync(TEMPLATES, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts.hbs"))
    .map((file) => readFileSync(path.join(TEMPLATES, file), "utf8"));
  const imported = sources
    .flatMap((source) => [...source.matchAll(/^import (?:type )?\{(?<names>[^}]*)\} from/gmu)])
    .flatMap(({ groups }) => groups?.["names"]?.match(/\b[A-Z][A-Za-z]+\b/gu) ?? []);
  const names = [...new Set(imported)].filter((name) => name !== name.toUpperCase());

  it.each(names)("is refused: %s", async (kind) => {
    const root = await project();
    const files = readFiles(root);
    const line = `create api --group webapp --version v1 --kind ${kind} --image=nginx:1 ${PLUGIN} --make=false`;
    const { status, stderr } = await runCommand(root, line);
    expect(status).toBe(1);
    expect(stderr).toMatch(/DEPLOY_IMAGE_TAKEN_KIND|its types file imports a type with this name/u);
    expect(readFiles(root)).toEqual(files);
  });
});

describe("create api with an image beside another controller", () => {
  it.each([
    ["of the kind, in another version", GVK.replace("v1alpha1", "v1"), CREATE, "one controller serves all versions"],
    [
      "of the same name, for a kind of Kubernetes",
      "--group example.com --version v1 --kind Deployment",
      "create api --group apps --version v1 --kind Deployment --resource=false --make=false",
      "edit --multigroup",
    ],
  ])("%s is refused and leaves that alone", async (_, gvk, former, hint) => {
    const root = await project(former);
    const files = readFiles(root);
    const line = `create api ${gvk} --image=nginx:1 ${PLUGIN} --make=false`;
    expect(await runCommand(root, line)).toMatchObject({ status: 1 });
    const { status, stderr } = await runCommand(root, `${line} --force`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("DEPLOY_IMAGE_CONTROLLER_TAKEN") });
    expect(stderr).toContain(hint);
    expect(readFiles(root)).toEqual(files);
  });
});

describe("create api with an image, again", () => {
  it("is refused without --force, and changes nothing with it", async () => {
    const root = await project(CREATE);
    const files = readFiles(root);
    const refused = await runCommand(root, CREATE);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("PROJECT_RESOURCE_CONFLICT") });
    await runCommands(root, `${CREATE} --force`);
    expect(readFiles(root)).toEqual(files);
    await runCommands(root, `create api ${GVK} ${PLUGIN} --make=false --force`);
    expect(readFiles(root)).toEqual(files);
  });

  it("replaces the image and the options, each where it stands", async () => {
    const root = await project(CREATE);
    await runCommands(root, `create api ${GVK} --image=reg:5000/ns/img:1.2 ${PLUGIN} --make=false --force`);
    expect(variablesIn(root)).toEqual(['MEMCACHED_IMAGE="reg:5000/ns/img:1.2"']);
    expect(readFiles(root)).toEqual(
      readFiles(await project(`create api ${GVK} --image=reg:5000/ns/img:1.2 ${PLUGIN} --make=false`)),
    );
  });

  it("becomes an API without an image, if the command runs without the plugin", async () => {
    const root = await project(CREATE);
    await runCommands(root, `create api ${GVK} --make=false --force`);
    expect(readFiles(root)).toEqual(readFiles(await project(`create api ${GVK} --make=false`)));
  });

  it("stays an API with an image, if the command overwrites only the types", async () => {
    const root = await project(CREATE);
    await runCommands(root, `create api ${GVK} --controller=false --make=false --force`);
    expect(readFiles(root)[WORKLOAD]).toBeDefined();
    expect(readFiles(root)["PROJECT"]).toContain("memcached:1.4.36-alpine");
  });

  it("keeps the images of other kinds", async () => {
    const root = await project(
      CREATE,
      `create api --group example.com --version v1alpha1 --kind Busybox --image=busybox:1 ${PLUGIN} --make=false`,
    );
    expect(variablesIn(root)).toEqual(['MEMCACHED_IMAGE="memcached:1.4.36-alpine"', 'BUSYBOX_IMAGE="busybox:1"']);
    expect(readFiles(root)["PROJECT"]?.match(/options:/gu)).toHaveLength(2);
  });
});

describe("a project with an image", () => {
  it.each(["--namespaced=false", "--namespaced"])("is the former one again after delete api (%s)", async (scope) => {
    const root = temporaryFolder();
    await runCommands(root, `${INIT} ${scope}`);
    const files = readFiles(root);
    await runCommands(root, CREATE);
    expect(variablesIn(root)).toHaveLength(1);
    await runCommands(root, DELETE);
    expect(readFiles(root)).toEqual(files);
  });

  it("keeps another kind's part of it after delete api", async () => {
    const other = `create api --group example.com --version v1alpha1 --kind Busybox --image=busybox:1 ${PLUGIN} --make=false`;
    const root = await project(other);
    const files = readFiles(root);
    await runCommands(root, CREATE, DELETE);
    expect(readFiles(root)).toEqual(files);
  });

  it("keeps variables that the user has put beside the image after delete api", async () => {
    const root = await project(CREATE);
    const manager = (readFiles(root)[MANAGER] ?? "").replace(
      "        # +kubebuilder:scaffold:managerenv",
      "        - name: MINE\n          value: yes\n        # +kubebuilder:scaffold:managerenv",
    );
    writeFiles(root, { [MANAGER]: manager });
    await runCommands(root, DELETE);
    expect(readFiles(root)[MANAGER]).toContain("        env:\n        - name: MINE\n          value: yes\n");
  });

  it("refuses delete api when its controller was changed", async () => {
    const root = await project(CREATE);
    writeFiles(root, { [WORKLOAD]: `${readFiles(root)[WORKLOAD] ?? ""}// mine\n` });
    expect(await runCommand(root, DELETE)).toMatchObject({ status: 1, stderr: expect.stringContaining(WORKLOAD) });
  });

  it("is what doctor expects, which finds what is missing of it", async () => {
    const root = await project(CREATE.replace(" --make=false", ""));
    const healthy = await runCommand(root, "doctor --output json");
    const errors = (text: string): readonly unknown[] =>
      (JSON.parse(text) as { findings: { severity: string; path: string }[] }).findings.filter(
        (each) => each.severity === "error" && !each.path.startsWith("node_modules"),
      );
    const before = errors(healthy.stdout);
    writeFiles(root, { [MANAGER]: (readFiles(root)[MANAGER] ?? "").replace(/ *- name: MEMCACHED_IMAGE\n.*\n/u, "") });
    const after = errors((await runCommand(root, "doctor --output json")).stdout);
    expect(after.length).toBe(before.length + 1);
    expect(after).toContainEqual(
      expect.objectContaining({ path: MANAGER, message: expect.stringContaining("MEMCACHED_IMAGE") }),
    );
  });

  it("gives kinds of one name in two groups a variable each, also after edit --multigroup", async () => {
    const moved = await project(CREATE, "edit --multigroup");
    const fresh = await project("edit --multigroup", CREATE);
    expect(variablesIn(moved)).toEqual(['EXAMPLE_COM_MEMCACHED_IMAGE="memcached:1.4.36-alpine"']);
    expect(readFiles(moved)).toEqual(readFiles(fresh));
    const second = `create api --group cache --version v1 --kind Memcached --image=memcached:2 ${PLUGIN} --make=false`;
    await runCommands(moved, second);
    expect(variablesIn(moved)).toEqual([
      'EXAMPLE_COM_MEMCACHED_IMAGE="memcached:1.4.36-alpine"',
      'CACHE_MEMCACHED_IMAGE="memcached:2"',
    ]);
    const files = readFiles(moved);
    const recorders = ["example.com", "cache"].map(
      (group) =>
        /getEventRecorder\("(?<name>[^"]+)"/u.exec(
          files[`internal/controller/${group}/memcached_controller.ts`] ?? "",
        )?.[1],
    );
    expect(recorders).toEqual(["example.com-memcached-controller", "cache-memcached-controller"]);
    await runCommands(moved, "delete api --group cache --version v1 --kind Memcached --make=false");
    expect(readFiles(moved)).toEqual(readFiles(fresh));
  });

  it.each(["", " --namespaced"])(
    "has the image beside what else the manager's environment holds (init%s)",
    async (scope) => {
      const root = temporaryFolder();
      await runCommands(root, `${INIT}${scope}`, CREATE);
      const documents = readYamlDocuments(readFileSync(path.join(root, MANAGER), "utf8"), { file: MANAGER });
      const [, deployment] = documents as unknown as readonly Deployment[];
      const [container] = deployment?.spec?.template.spec?.containers ?? [];
      expect(container?.env?.map(({ name }) => name)).toEqual([
        ...(scope === "" ? [] : ["WATCH_NAMESPACE"]),
        "MEMCACHED_IMAGE",
      ]);
    },
  );

  it("is regenerated by alpha generate, and renamed by rename api", async () => {
    const root = await project(CREATE.replace(" --make=false", ""));
    const again = path.join(temporaryFolder(), "again");
    await runCommands(root, `alpha generate --output-dir ${again}`);
    const isOwn = ([file]: readonly [string, string]): boolean => file !== "package.json";
    expect(Object.entries(readFiles(again)).filter(isOwn)).toEqual(Object.entries(readFiles(root)).filter(isOwn));
    await runCommands(root, "rename api --group example.com --kind Memcached --to-kind Cache");
    const renamed = CREATE.replace("--kind Memcached", "--kind Cache").replace(" --make=false", "");
    expect(readFiles(root)).toEqual(readFiles(await project(renamed)));
  });

  it("is what every call of create api makes where init was given the plugin, unless another is named", async () => {
    const root = temporaryFolder();
    await runCommands(root, `${INIT} --plugins=ts/v1,deploy-image/v1-alpha`);
    const api = "create api --group ships --version v1 --kind Frigate --make=false";
    const refused = await runCommand(root, api);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("[DEPLOY_IMAGE_MISSING]") });
    await runCommands(root, `${api} --plugins=ts/v1`, `${api.replace("Frigate", "Brig")} --image=busybox`);
    const files = Object.keys(readFiles(root)).filter((file) => file.endsWith("_workload.ts"));
    expect(files).toEqual(["internal/controller/brig_workload.ts"]);
  });

  it("has further controllers and webhooks like any other", async () => {
    const root = await project(CREATE);
    const files = readFiles(root);
    await runCommands(
      root,
      `create api ${GVK} --resource=false --controller-name memcached-backup --make=false`,
      `delete api ${GVK} --controller-name memcached-backup --make=false`,
      `create webhook ${GVK} --defaulting --make=false`,
      `delete webhook ${GVK} --make=false`,
    );
    expect(readFiles(root)).toEqual(files);
  });
});
