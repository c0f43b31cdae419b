// What the images of conformance specs do in simulated containers.
import { once } from "node:events";

import { runAgnhost } from "./agnhost.mjs";
import { createFileSystems } from "./container-files.mjs";
import { runProgram } from "./shell.mjs";

const IMAGES = "registry.k8s.io/e2e-test-images";
const AGNHOST_FILES = { "/localhost.crt": "certificate\n", "/localhost.key": "key\n" };

/** Defines the images of a cluster; its containers share volumes, and nothing with those of other clusters. */
export function defineImages(images) {
  const filesOf = createFileSystems();
  images.define(
    `${IMAGES}/busybox:*`,
    programs((container) => filesOf(container)),
  );
  // The tags that specs use for images that nobody has built.
  for (const tag of ["404", "nonexistent", "non-existent"]) images.define(`*:${tag}`, { isMissing: true });
  images.define("registry.k8s.io/pause:*", { run: untilStopped });
  const agnhost = (container) => filesOf(container, AGNHOST_FILES);
  images.define(`${IMAGES}/agnhost:*`, {
    ...programs(agnhost),
    run: async (container) =>
      isAgnhost(container)
        ? await runAgnhost({ ...container, args: agnhostArguments(container) }, agnhost(container))
        : await programs(agnhost).run(container),
  });
}

// The entrypoint of the image is agnhost, its default argument is pause.
function isAgnhost({ command }) {
  return command.length === 0 || command[0].endsWith("agnhost");
}

function agnhostArguments({ command, args }) {
  const words = [...command.slice(1), ...args];
  return words.length === 0 ? ["pause"] : words;
}

/** Runs the command of a container, and those of exec, in a simulated shell. */
function programs(filesOf) {
  const run = async (container, argv, stdin) =>
    await runProgram(argv, {
      env: container.env,
      files: filesOf(container),
      signal: container.signal,
      stdin,
      out: (text) => container.stdout.write(text),
      err: (text) => container.stderr.write(text),
    });
  return {
    run: async (container) => {
      const argv = [...container.command, ...container.args];
      return argv.length === 0 ? 0 : await run(container, argv, "");
    },
    exec: async (container) => await run(container, container.command, ""),
  };
}

async function untilStopped({ signal }) {
  if (!signal.aborted) await once(signal, "abort");
  return 0;
}
