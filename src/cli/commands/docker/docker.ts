import type { Command } from "../../command/command.ts";
import { defineCommand, type FlagsOf } from "../../command/define-command.ts";
import { imageFlag } from "../../flags/image-flag.ts";
import type { DockerOptions, DockerBuildxOptions } from "./run-docker.ts";

const PLATFORMS = "linux/arm64,linux/amd64,linux/s390x,linux/ppc64le";

const TOOL_FLAGS = [
  {
    name: "image",
    kind: "string",
    mayBeEmpty: true,
    help: "name of the image",
    default: "$IMG, or controller:latest",
  },
  {
    name: "tool",
    kind: "string",
    isPath: true,
    help: "container engine, such as podman",
    default: "$CONTAINER_TOOL, or docker",
  },
] as const;

const BUILD_FLAGS = [
  ...TOOL_FLAGS,
  {
    name: "base-image",
    kind: "string",
    help: "image of the build stage",
    default: "$BASE_IMAGE, or the Dockerfile's",
  },
  {
    name: "runtime-image",
    kind: "string",
    help: "base image of the final stage",
    default: "$RUNTIME_IMAGE, or the Dockerfile's",
  },
] as const;

/** `scaffold docker-build`: the image by a container engine. */
export const dockerBuildCommand: Command = defineCommand({
  path: ["docker-build"],
  summary: "Build the image with Docker",
  description:
    "Build the Dockerfile for the platform of this machine. `scaffold image` builds the image without a container engine.",
  examples: ["scaffold docker-build --image registry.example.com/guestbook:v1", "scaffold docker-build --tool podman"],
  flags: BUILD_FLAGS,
  parse: (flags) => dockerOptions(flags),
  run: async (options, invocation) => {
    const { runDockerBuild } = await import("./run-docker.ts");
    return runDockerBuild(options, invocation);
  },
});

/** `scaffold docker-push`: the image into its registry. */
export const dockerPushCommand: Command = defineCommand({
  path: ["docker-push"],
  summary: "Push the image with Docker",
  examples: ["scaffold docker-push --image registry.example.com/guestbook:v1"],
  flags: TOOL_FLAGS,
  parse: (flags) => dockerOptions(flags),
  run: async (options, invocation) => {
    const { runDockerPush } = await import("./run-docker.ts");
    return runDockerPush(options, invocation);
  },
});

/** `scaffold docker-buildx`: the image for several platforms. */
export const dockerBuildxCommand: Command = defineCommand({
  path: ["docker-buildx"],
  summary: "Build and push a multi-platform image with Docker",
  description: [
    "Build the Dockerfile for several platforms and push the image. The manager is bundled once, on the platform of this machine, without",
    "emulation. The command creates a builder for the project and removes it afterwards, unless it existed before.",
  ].join("\n"),
  examples: ["scaffold docker-buildx --image registry.example.com/guestbook:v1 --platforms linux/arm64,linux/amd64"],
  flags: [
    ...BUILD_FLAGS,
    {
      name: "platforms",
      kind: "string",
      help: "platforms of the image",
      default: `$PLATFORMS, or ${PLATFORMS}`,
    },
  ],
  parse: ({ platforms, ...flags }): DockerBuildxOptions => ({
    ...dockerOptions(flags),
    platforms: platforms ?? (process.env["PLATFORMS"] || PLATFORMS),
  }),
  run: async (options, invocation) => {
    const { runDockerBuildx } = await import("./run-docker.ts");
    return runDockerBuildx(options, invocation);
  },
});

/** `scaffold docker-context`: packages that the project depends on by path, for a build of the Dockerfile. */
export const dockerContextCommand: Command = defineCommand({
  path: ["docker-context"],
  summary: "Pack local dependencies for a build of the Dockerfile",
  description: [
    "Write dist/docker-context for a project with local (file:) dependencies, which a build of the Dockerfile cannot reach: a tarball of each package, and a",
    "package.json that references the tarballs. docker-build and docker-buildx run this step themselves. Without such dependencies, the folder is removed.",
  ].join("\n"),
  examples: ["scaffold docker-context && docker build ."],
  flags: [],
  parse: () => undefined,
  run: async (_options, invocation) => {
    const { runDockerContext } = await import("./run-docker.ts");
    return runDockerContext(invocation);
  },
});

function dockerOptions(
  flags: Partial<FlagsOf<typeof BUILD_FLAGS>>,
  env: NodeJS.ProcessEnv = process.env,
): DockerOptions {
  const images = { BASE_IMAGE: flags["base-image"], RUNTIME_IMAGE: flags["runtime-image"] };
  return {
    tool: {
      name: flags.tool ?? (env["CONTAINER_TOOL"] || "docker"),
      hint: "install Docker, pass another engine with --tool or CONTAINER_TOOL, or run `scaffold image`, which needs no engine",
    },
    image: imageFlag(flags.image, env) ?? "controller:latest",
    buildArguments: Object.entries(images).flatMap(([name, given]) => {
      const value = given ?? (env[name] || undefined);
      return value === undefined ? [] : ["--build-arg", `${name}=${value}`];
    }),
  };
}
