import { cpSync, rmSync } from "node:fs";
import path from "node:path";

import { exampleFolder, type ExampleName } from "../e2e/project-copy.ts";
import { newNodeProject, type NodeProject } from "./node-project.ts";

/** Copies an example, lets its manager make its certificates, and builds its image. */
export async function exampleProject(name: ExampleName, image: string): Promise<NodeProject> {
  const project = newNodeProject((root) => {
    cpSync(exampleFolder(name), root, { recursive: true });
    for (const each of ["node_modules", "dist", ".kubescaffold"])
      rmSync(path.join(root, each), { recursive: true, force: true });
  });
  // READMEs of examples are written by hand.
  await project.scaffold("edit --certificates self-managed --force");
  await project.buildImage(image);
  return project;
}
