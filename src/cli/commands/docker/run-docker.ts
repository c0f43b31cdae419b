import { readFileSync } from "node:fs";
import path from "node:path";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import type { Invocation } from "../../command/command.ts";
import { DeployError } from "../../command/errors.ts";
import { type Program, requireProgram, succeeds } from "../../programs/run-program.ts";
import { readProject } from "../../session/project-session.ts";
import { writeDockerContext } from "./docker-context.ts";

const CROSS_DOCKERFILE = "dist/Dockerfile.cross";

/** The image, and the engine that builds or pushes it. */
export interface DockerOptions {
  readonly tool: Program;
  readonly image: string;
  readonly buildArguments: readonly string[];
}

/** Builds the image for the platform of this machine. */
export async function runDockerBuild(
  { tool, image, buildArguments }: DockerOptions,
  invocation: Invocation,
): Promise<number> {
  await readProject(invocation);
  await writeDockerContext(invocation);
  await requireProgram(tool, ["build", ...buildArguments, "-t", image, "."], { invocation });
  return 0;
}

/** Pushes the image. */
export async function runDockerPush({ tool, image }: DockerOptions, invocation: Invocation): Promise<number> {
  await readProject(invocation);
  await requireProgram(tool, ["push", image], { invocation });
  return 0;
}

/** The image, the engine, and the platforms, as the engine reads them. */
export interface DockerBuildxOptions extends DockerOptions {
  readonly platforms: string;
}

/** Builds the image for several platforms and pushes it. */
export async function runDockerBuildx(
  { tool, image, buildArguments, platforms }: DockerBuildxOptions,
  invocation: Invocation,
): Promise<number> {
  const { projectName = "" } = await readProject(invocation);
  await writeDockerContext(invocation);
  await writeCrossDockerfile(invocation);
  await withBuilder(invocation, tool, `${projectName}-builder`, async (builder) => {
    const target = ["--builder", builder, "--push", `--platform=${platforms}`];
    const args = ["buildx", "build", ...target, ...buildArguments, "--tag", image, "-f", CROSS_DOCKERFILE, "."];
    await requireProgram(tool, args, { invocation });
  });
  return 0;
}

/** Writes what a build of the Dockerfile needs besides the project. */
export async function runDockerContext(invocation: Invocation): Promise<number> {
  await readProject(invocation);
  await writeDockerContext(invocation);
  return 0;
}

// The bundle runs on every platform, so nothing has to be built under emulation of another.
async function writeCrossDockerfile({ cwd }: Invocation): Promise<void> {
  const text = readDockerfile(path.join(cwd, "Dockerfile"));
  const content = text.replace(/^FROM (?!--platform)(?=.* AS (?:base|builder)$)/gmu, "FROM --platform=$BUILDPLATFORM ");
  await writeOwnFile({ root: cwd, path: CROSS_DOCKERFILE, content });
}

function readDockerfile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new DeployError("cannot build the image: the Dockerfile does not exist or cannot be read", {
      hint: "restore it from version control",
      cause,
    });
  }
}

// A builder that existed before is kept; one that is created here is removed, also when the build fails.
async function withBuilder(
  invocation: Invocation,
  tool: Program,
  builder: string,
  build: (builder: string) => Promise<void>,
): Promise<void> {
  const exists = await succeeds(tool, ["buildx", "inspect", builder], { invocation });
  if (!exists) await requireProgram(tool, ["buildx", "create", "--name", builder], { invocation });
  try {
    await build(builder);
  } finally {
    if (!exists) await succeeds(tool, ["buildx", "rm", builder], { invocation });
  }
}
