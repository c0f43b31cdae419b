import type { Flag } from "../../../plugin/flag.ts";
import type { Command } from "../../command/command.ts";

const TOOL_FLAGS: readonly Flag[] = [
  { name: "image", kind: "string", help: "name of the image", default: "$IMG, or controller:latest" },
  {
    name: "tool",
    kind: "string",
    isPath: true,
    help: "container engine, such as podman",
    default: "$CONTAINER_TOOL, or docker",
  },
];

const BUILD_FLAGS: readonly Flag[] = [
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
];

/** `scaffold docker-build`: the image by a container engine. */
export const dockerBuildCommand: Command = {
  path: ["docker-build"],
  summary: "Build the image with Docker",
  description:
    "Build the Dockerfile for the platform of this machine. `scaffold image` builds the image without a container engine.",
  examples: ["scaffold docker-build --image registry.example.com/guestbook:v1", "scaffold docker-build --tool podman"],
  flags: BUILD_FLAGS,
  run: async (invocation) => {
    const { runDockerBuild } = await import("./run-docker.ts");
    return runDockerBuild(invocation);
  },
};

/** `scaffold docker-push`: the image into its registry. */
export const dockerPushCommand: Command = {
  path: ["docker-push"],
  summary: "Push the image with Docker",
  examples: ["scaffold docker-push --image registry.example.com/guestbook:v1"],
  flags: TOOL_FLAGS,
  run: async (invocation) => {
    const { runDockerPush } = await import("./run-docker.ts");
    return runDockerPush(invocation);
  },
};

/** `scaffold docker-buildx`: the image for several platforms. */
export const dockerBuildxCommand: Command = {
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
      default: "$PLATFORMS, or linux/arm64,linux/amd64,linux/s390x,linux/ppc64le",
    },
  ],
  run: async (invocation) => {
    const { runDockerBuildx } = await import("./run-docker.ts");
    return runDockerBuildx(invocation);
  },
};

/** `scaffold docker-context`: packages that the project depends on by path, for a build of the Dockerfile. */
export const dockerContextCommand: Command = {
  path: ["docker-context"],
  summary: "Pack local dependencies for a build of the Dockerfile",
  description: [
    "Write dist/docker-context for a project with local (file:) dependencies, which a build of the Dockerfile cannot reach: a tarball of each package, and a",
    "package.json that references the tarballs. docker-build and docker-buildx run this step themselves. Without such dependencies, the folder is removed.",
  ].join("\n"),
  examples: ["scaffold docker-context && docker build ."],
  flags: [],
  run: async (invocation) => {
    const { runDockerContext } = await import("./run-docker.ts");
    return runDockerContext(invocation);
  },
};
