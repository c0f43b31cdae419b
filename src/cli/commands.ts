import type { Command } from "./command/command.ts";
import { alphaGenerateCommand } from "./commands/alpha-generate/alpha-generate.ts";
import { alphaRestoreProjectCommand } from "./commands/alpha-restore-project/alpha-restore-project.ts";
import { alphaUpdateCommand } from "./commands/alpha-update/alpha-update.ts";
import { apiserverCommand } from "./commands/apiserver/apiserver.ts";
import { compatCommand } from "./commands/compat/compat.ts";
import { completionCommands } from "./commands/completion/completion.ts";
import { createApiCommand } from "./commands/create-api/create-api.ts";
import { createWebhookCommand } from "./commands/create-webhook/create-webhook.ts";
import { dashboardCommand } from "./commands/dashboard/dashboard.ts";
import { debugCommand } from "./commands/debug/debug.ts";
import { deleteApiCommand, deleteWebhookCommand } from "./commands/delete/delete.ts";
import {
  buildInstallerCommand,
  deployCommand,
  installCommand,
  undeployCommand,
  uninstallCommand,
} from "./commands/deploy/deploy.ts";
import { devCommand } from "./commands/dev/dev.ts";
import {
  dockerBuildCommand,
  dockerBuildxCommand,
  dockerContextCommand,
  dockerPushCommand,
} from "./commands/docker/docker.ts";
import { doctorCommand } from "./commands/doctor/doctor.ts";
import { editCommand } from "./commands/edit/edit.ts";
import { explainCommand } from "./commands/explain/explain.ts";
import { genCommand } from "./commands/gen/gen.ts";
import { generateCommand, manifestsCommand } from "./commands/generate/generate.ts";
import { imageCommand } from "./commands/image/image.ts";
import { importCrdCommand } from "./commands/import-crd/import-crd.ts";
import { importProjectCommand } from "./commands/import-project/import-project.ts";
import { initCommand } from "./commands/init/init.ts";
import { k8sDocsCommand } from "./commands/k8s-docs/k8s-docs.ts";
import { createKubectlPluginCommand, deleteKubectlPluginCommand } from "./commands/kubectl-plugin/kubectl-plugin.ts";
import { migrateStorageCommand } from "./commands/migrate-storage/migrate-storage.ts";
import { rehearseCommand } from "./commands/rehearse/rehearse.ts";
import { renameApiCommand } from "./commands/rename-api/rename-api.ts";
import { runCommand } from "./commands/run/run.ts";
import {
  cleanupTestE2eCommand,
  installKindCommand,
  setupTestE2eCommand,
  testE2eCommand,
} from "./commands/test-e2e/test-e2e.ts";
import { testCommand } from "./commands/test/test.ts";
import { verifyCommand } from "./commands/verify/verify.ts";
import { versionCommand } from "./commands/version/version.ts";

/** The program without a command: its help is the entrance. */
export const ROOT_COMMAND: Command = {
  path: [],
  summary: "Scaffold Kubernetes operators in TypeScript",
  description: [
    "Scaffold Kubernetes operators in TypeScript, and generate their CRDs, RBAC, and webhook manifests.",
    "",
    "Start a project with `init`, extend it with `create api` and `create webhook`, generate its manifests with `manifests`, and run it without a cluster with `dev`.",
    "Without a global installation, run `npx kubescaffold` outside of a project and `npx scaffold` inside.",
  ].join("\n"),
  examples: [
    "scaffold init --domain example.com --project-name guestbook",
    "scaffold create api --group webapp --version v1 --kind Guestbook",
    "scaffold manifests",
  ],
  flags: [],
};

/** Every command of the program; help, completion and parsing are made from this list. */
export const COMMANDS: readonly Command[] = [
  initCommand,
  { path: ["create"], summary: "Add an API, webhooks, or a kubectl plugin to the project", flags: [] },
  createApiCommand,
  createWebhookCommand,
  createKubectlPluginCommand,
  { path: ["delete"], summary: "Remove an API, webhooks, or a kubectl plugin from the project", flags: [] },
  deleteApiCommand,
  deleteWebhookCommand,
  deleteKubectlPluginCommand,
  { path: ["rename"], summary: "Rename an API of the project", flags: [] },
  renameApiCommand,
  editCommand,
  { path: ["import"], summary: "Import CRDs or a Go project as TypeScript", flags: [] },
  importCrdCommand,
  importProjectCommand,
  { path: ["alpha"], summary: "Regenerate, upgrade, or restore the project", flags: [] },
  alphaGenerateCommand,
  alphaUpdateCommand,
  alphaRestoreProjectCommand,
  manifestsCommand,
  generateCommand,
  compatCommand,
  genCommand,
  devCommand,
  dashboardCommand,
  apiserverCommand,
  runCommand,
  testCommand,
  verifyCommand,
  rehearseCommand,
  testE2eCommand,
  setupTestE2eCommand,
  cleanupTestE2eCommand,
  installKindCommand,
  imageCommand,
  dockerBuildCommand,
  dockerPushCommand,
  dockerBuildxCommand,
  dockerContextCommand,
  installCommand,
  uninstallCommand,
  deployCommand,
  undeployCommand,
  buildInstallerCommand,
  migrateStorageCommand,
  debugCommand,
  doctorCommand,
  explainCommand,
  k8sDocsCommand,
  versionCommand,
  ...completionCommands,
];
