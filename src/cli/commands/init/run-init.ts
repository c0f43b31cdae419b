import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { KUBERNETES_MINOR, type KubernetesMinor } from "@kubescaffold/k8s";

import { packageSpecs } from "../../../changes/package-specs.ts";
import { workflowNotes } from "../../../changes/workflow-notes.ts";
import { pathKindSync } from "../../../machinery/disk.ts";
import { NotARegularFileError } from "../../../machinery/errors.ts";
import { withoutByteOrderMark } from "../../../machinery/file-tree.ts";
import type { ResolvedPlugins } from "../../../plugin/registry.ts";
import { type CertificateIssuer, withCertificateIssuer } from "../../../project/certificates.ts";
import { ProjectExistsError } from "../../../project/errors.ts";
import { withKubernetesVersion } from "../../../project/kubernetes-version.ts";
import { type PackageManager, type PackageManagerName, withPackageManager } from "../../../project/package-manager.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import { printProject } from "../../../project/project-file.ts";
import { validateDomain, validateProjectName, validateRepo } from "../../../project/validate-names.ts";
import type { Invocation } from "../../command/command.ts";
import { FolderInUseError, InputError, InvalidFlagError } from "../../command/errors.ts";
import { announce, reportOutcome } from "../../output/report-outcome.ts";
import { installPackages, requirePackageManager } from "../../programs/install-packages.ts";
import { packageManagerIn } from "../../session/project-folder.ts";
import { type ProjectSession, withProjectSession, pluginsFor, runScaffolds } from "../../session/project-session.ts";

/** A project to start. */
export interface InitOptions extends ManagerChoice {
  /** The domain of the API groups; empty for groups in full. */
  readonly domain: string | undefined;
  /** The name of the project; that of the folder unless given. */
  readonly projectName: string | undefined;
  /** The name of the npm package; that of package.json, or of the project, unless given. */
  readonly repo: string | undefined;
  readonly multigroup: boolean;
  readonly namespaced: boolean;
  /** Where certificates come from; cert-manager unless given. */
  readonly certificates: CertificateIssuer | undefined;
  /** The comment at the top of sources; empty for none. */
  readonly boilerplate: string;
  /** The minor version of Kubernetes of its tests and of `dev`; the default one unless given. */
  readonly kubernetes: KubernetesMinor | undefined;
  /** Whether the types of Kubernetes get descriptions after the installation. */
  readonly describesTypes: boolean;
}

/** Starts a project in the working folder. */
export async function runInit(options: InitOptions, called: Invocation): Promise<number> {
  refuseExisting(called.cwd);
  const packageManager = await chosenManager(options, called, called.cwd);
  const invocation = { ...called, program: { ...called.program, packageManager } };
  const plugins = await pluginsFor(invocation);
  requireBase(plugins);
  const { boilerplate, certificates = "cert-manager" } = options;
  const packaged = withPackageManager(projectOf(options, invocation, plugins.keys), packageManager);
  const wanted = withKubernetesVersion(
    withCertificateIssuer(packaged, certificates),
    options.kubernetes ?? KUBERNETES_MINOR,
  );
  const foreign = foreignFiles(invocation.cwd);
  const dry = invocation.isDryRun;
  const installs = options.installs && !dry;
  const hasPackage = await withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    refuseExisting(session.root);
    const packages = packageSpecs({ packageRoot: invocation.program.packageRoot, projectRoot: session.root });
    const { notes, project } = await runScaffolds({
      invocation,
      session,
      project: wanted,
      plugins,
      command: "init",
      scaffoldOf: (plugin) => plugin.init,
      options: { boilerplate, packages },
    });
    refuseBrokenPackage(session);
    session.tree.create(PROJECT_FILE, printProject(project));
    const actions = session.tree.actions();
    const skipped = session.tree.skipped();
    if (!dry) await session.commit(actions);
    reportOutcome(invocation, {
      actions,
      skipped,
      notes: [...foreignNotes(foreign, session), ...notes, ...workflowNotes(session.root, actions)],
      next: [
        ...(installs || !session.tree.exists("package.json") ? [] : ["npm install"]),
        "npx scaffold create api --group <group> --version v1 --kind <Kind>",
      ],
    });
    return session.tree.exists("package.json");
  });
  if (installs && hasPackage) {
    await installPackages(invocation);
    if (options.describesTypes) await addDescriptions(invocation);
  }
  return 0;
}

/** Which package manager a new project has, and whether it runs now. */
export interface ManagerChoice {
  readonly packageManager: PackageManagerName | undefined;
  /** Whether the packages are installed, unless on a dry run. */
  readonly installs: boolean;
}

/**
 * Returns the package manager of a new project: that of the flag, or the one that its folder shows, or that started the program.
 *
 * Fails: `ProgramNotFoundError`, and `ExternalProgramError` if the program does not work.
 */
export async function chosenManager(
  { packageManager, installs }: ManagerChoice,
  invocation: Invocation,
  folder: string,
): Promise<PackageManager> {
  const detected = packageManagerIn(folder);
  const name = packageManager ?? detected.name;
  const isUsed = installs && !invocation.isDryRun;
  if (name === detected.name && detected.version !== undefined && !isUsed) return detected;
  const installed = await requirePackageManager(name, invocation);
  return name === detected.name && detected.version !== undefined ? detected : installed;
}

function refuseExisting(root: string): void {
  if (pathKindSync(path.join(root, PROJECT_FILE)) !== "absent") throw new ProjectExistsError(root);
  for (const file of ["Makefile", "cmd/main.ts"]) {
    const kind = pathKindSync(path.join(root, file));
    if (kind === "file") throw new FolderInUseError(file);
    if (kind !== "absent") {
      throw new NotARegularFileError(
        file,
        { folder: "a folder", link: "a symbolic link", other: "not a regular file" }[kind],
      );
    }
  }
}

// A plugin that has no part in `create api` adds to projects and starts none.
function requireBase({ keys, plugins }: ResolvedPlugins): void {
  if (plugins.some((plugin) => plugin.createApi !== undefined)) return;
  throw new InvalidFlagError(`cannot start a project with ${keys.join(" and ")} alone: it only extends projects`, {
    hint: `pass --plugins=${["ts/v1", ...keys].join(",")}, or first \`init\` without --plugins, then \`edit --plugins\``,
  });
}

// A package.json is added to, unless it cannot be read as one; npm could not either.
function refuseBrokenPackage({ tree }: ProjectSession): void {
  if (!tree.skipped().includes("package.json")) return;
  throw new InputError("cannot add to package.json: it is not a JSON object", {
    hint: "fix or move the file; nothing was written",
  });
}

function projectOf(options: InitOptions, { cwd, program }: Invocation, layout: readonly string[]): ProjectConfig {
  // Without a domain the groups are written in full: --group crew.example.com.
  const { domain = "my.domain", projectName = path.basename(cwd).toLowerCase(), multigroup, namespaced } = options;
  if (domain !== "") validateDomain(domain);
  validateProjectName(projectName);
  const repo = options.repo ?? packageNameIn(cwd) ?? projectName;
  validateRepo(repo);
  return {
    cliVersion: program.version,
    ...(domain === "" ? {} : { domain }),
    layout,
    ...(multigroup ? { multigroup: true } : {}),
    ...(namespaced ? { namespaced: true } : {}),
    projectName,
    repo,
    version: "3",
  };
}

/** Returns the name of a package that a folder holds already; one that cannot be read says nothing. */
export function packageNameIn(folder: string): string | undefined {
  try {
    const text = readFileSync(path.join(folder, "package.json"), "utf8");
    const { name } = JSON.parse(withoutByteOrderMark(text)) as { readonly name?: unknown };
    return typeof name === "string" && name !== "" ? name : undefined;
  } catch {
    return undefined;
  }
}

function foreignFiles(root: string): readonly string[] {
  try {
    return readdirSync(root, { withFileTypes: true })
      .filter((entry) => !(entry.isDirectory() && entry.name.startsWith(".") && entry.name !== ".github"))
      .map((entry) => entry.name);
  } catch {
    return [];
  }
}

function foreignNotes(foreign: readonly string[], session: ProjectSession): readonly string[] {
  if (foreign.length === 0) return [];
  const kept = session.tree.skipped();
  const shown = `${foreign.slice(0, 5).join(", ")}${foreign.length > 5 ? ", …" : ""}`;
  return [
    `The folder was not empty (${shown}): kept ${kept.length === 1 ? "1 existing file" : `${kept.length} existing files`}.`,
  ];
}

async function addDescriptions(invocation: Invocation): Promise<void> {
  announce(invocation, "Adding the descriptions of Kubernetes types: npx scaffold k8s-docs …");
  const { describeNewProject } = await import("../k8s-docs/run-k8s-docs.ts");
  await describeNewProject(invocation);
}
