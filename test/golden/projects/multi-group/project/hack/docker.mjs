// Builds the manager's image with a container engine, and pushes it. `npm run image` does both without one.
//
//   node hack/docker.mjs build        for the platform of this machine
//   node hack/docker.mjs push
//   node hack/docker.mjs buildx       for several platforms, and pushes it; the manager is bundled once, natively
//
// IMG names the image, CONTAINER_TOOL the engine, PLATFORMS what buildx builds for; BASE_IMAGE and RUNTIME_IMAGE replace those of the Dockerfile.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const BUILDER = "fleet-builder";
const CROSS = "dist/Dockerfile.cross";
const image = process.env.IMG ?? "controller:latest";
const tool = process.env.CONTAINER_TOOL || "docker";
const platforms = process.env.PLATFORMS || "linux/arm64,linux/amd64,linux/s390x,linux/ppc64le";
const COMMANDS = {
  build: () => {
    run(process.execPath, "hack/docker-context.mjs");
    run(tool, "build", ...buildArguments(), "-t", image, ".");
  },
  push: () => run(tool, "push", image),
  buildx: () => {
    run(process.execPath, "hack/docker-context.mjs");
    writeCrossDockerfile();
    withBuilder(() =>
      run(
        tool,
        "buildx",
        "build",
        "--builder",
        BUILDER,
        "--push",
        `--platform=${platforms}`,
        ...buildArguments(),
        "--tag",
        image,
        "-f",
        CROSS,
        ".",
      ),
    );
  },
};

const command = process.argv[2] ?? "";
if (!Object.hasOwn(COMMANDS, command)) {
  console.error(`usage: node hack/docker.mjs ${Object.keys(COMMANDS).join("|")}`);
  process.exit(2);
}
try {
  if (!/^\S+$/u.test(image)) throw new Error(`IMG="${image}" names no image: name one, or unset it`);
  COMMANDS[command]();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function buildArguments() {
  return ["BASE_IMAGE", "RUNTIME_IMAGE"]
    .filter((name) => process.env[name])
    .flatMap((name) => ["--build-arg", `${name}=${process.env[name]}`]);
}

// What is bundled runs on every platform, so nothing has to be built under emulation of another.
function writeCrossDockerfile() {
  const text = readFileSync("Dockerfile", "utf8");
  mkdirSync("dist", { recursive: true });
  const native = /^FROM (?!--platform)(?=.* AS (?:base|builder)$)/gmu;
  writeFileSync(CROSS, text.replace(native, "FROM --platform=$BUILDPLATFORM "));
}

// A builder that was there before stays; one that is made here goes, also when the build fails.
function withBuilder(work) {
  const isThere = status(tool, "buildx", "inspect", BUILDER) === 0;
  if (!isThere) run(tool, "buildx", "create", "--name", BUILDER);
  try {
    work();
  } finally {
    if (!isThere) status(tool, "buildx", "rm", BUILDER);
  }
}

function run(program, ...args) {
  const { status: code, error } = spawnSync(program, args, { stdio: "inherit" });
  if (error?.code === "ENOENT")
    throw new Error(
      `cannot run ${program}: there is no such program; CONTAINER_TOOL names another, and \`npm run image\` needs none`,
    );
  if (error !== undefined) throw error;
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} did not succeed`);
}

function status(program, ...args) {
  return spawnSync(program, args, { stdio: "ignore" }).status;
}
