import { alphaGenerateCommand } from "./alpha-generate.ts";
import { alphaUpdateCommand } from "./alpha-update.ts";
import type { Command } from "./command.ts";
import { completionCommands } from "./completion.ts";
import { createApiCommand } from "./create-api.ts";
import { createWebhookCommand } from "./create-webhook.ts";
import { deleteApiCommand } from "./delete-api.ts";
import { deleteWebhookCommand } from "./delete-webhook.ts";
import { devCommand } from "./dev.ts";
import { doctorCommand } from "./doctor.ts";
import { editCommand } from "./edit.ts";
import { genCommand } from "./gen.ts";
import { generateCommand } from "./generate.ts";
import { imageCommand } from "./image.ts";
import { importCrdCommand } from "./import-crd.ts";
import { importProjectCommand } from "./import-project.ts";
import { initCommand } from "./init.ts";
import { manifestsCommand } from "./manifests.ts";
import { renameApiCommand } from "./rename-api.ts";
import { versionCommand } from "./version.ts";

/** The program without a command: its help is the entrance. */
export const ROOT_COMMAND: Command = {
  path: [],
  summary: "Scaffold Kubernetes operators in TypeScript",
  description: [
    "Scaffold Kubernetes operators in TypeScript, and generate their CRDs, RBAC and webhook manifests.",
    "",
    "A project begins with `init`; `create api` and `create webhook` add to it; `manifests` writes what a cluster needs, `dev` runs it without one.",
    "Without a global installation the command is `npx kubescaffold` outside of a project and `npx scaffold` inside.",
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
  { path: ["create"], summary: "Add an API or webhooks to the project", flags: [] },
  createApiCommand,
  createWebhookCommand,
  { path: ["delete"], summary: "Take an API or webhooks out of the project", flags: [] },
  deleteApiCommand,
  deleteWebhookCommand,
  { path: ["rename"], summary: "Give an API of the project another name", flags: [] },
  renameApiCommand,
  editCommand,
  { path: ["import"], summary: "Write sources for what is defined elsewhere", flags: [] },
  importCrdCommand,
  importProjectCommand,
  { path: ["alpha"], summary: "Make the project again, or bring it up to date", flags: [] },
  alphaGenerateCommand,
  alphaUpdateCommand,
  manifestsCommand,
  generateCommand,
  genCommand,
  devCommand,
  imageCommand,
  doctorCommand,
  versionCommand,
  ...completionCommands,
];
