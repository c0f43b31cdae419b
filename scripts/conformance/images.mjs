// cspell:ignore nonewprivs
// What the images of conformance specs do in simulated containers.
import { once } from "node:events";

import { createCertificateAuthority } from "@kubescaffold/cluster";

import { resolverText } from "./agnhost-tools.mjs";
import { runAgnhost } from "./agnhost.mjs";
import { createFileSystems } from "./container-files.mjs";
import { identityOf, raisedUser } from "./container-identity.mjs";
import { runProgram } from "./shell.mjs";

const IMAGES = "registry.k8s.io/e2e-test-images";

// The image has a certificate for `localhost`; each run of the suite makes its own.
const authority = await createCertificateAuthority("agnhost");
const localhost = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
const AGNHOST_FILES = { "/localhost.crt": localhost.cert, "/localhost.key": localhost.key };

/** Defines the images of a cluster; its containers share volumes, and nothing with those of other clusters. */
export function defineImages(images) {
  const filesOf = createFileSystems();
  images.define(
    `${IMAGES}/busybox:*`,
    programs((container) => filesOf(container)),
  );
  for (const name of ["glibc-dns-testing", "jessie-dnsutils"])
    images.define(
      `${IMAGES}/${name}:*`,
      programs((container) => filesOf(container)),
    );
  images.define(`${IMAGES}/nonewprivs:*`, { run: printRaisedUser });
  // The tags that specs use for images that nobody has built.
  for (const tag of ["404", "nonexistent", "non-existent"]) images.define(`*:${tag}`, { isMissing: true });
  images.define("registry.k8s.io/pause:*", { run: untilStopped, lifecycleHooks: true });
  images.define(`${IMAGES}/agnhost:*`, agnhost(filesOf, AGNHOST_FILES, ["pause"]));
  for (const name of ["nautilus", "kitten"]) {
    const pages = { ...AGNHOST_FILES, "/data.json": `{"image": "${name}.jpg"}\n` };
    images.define(`${IMAGES}/${name}:*`, agnhost(filesOf, pages, ["test-webserver"]));
  }
}

/** Returns the definition of an image that runs agnhost, with its files and default arguments. */
function agnhost(filesOf, imageFiles, defaultArguments) {
  const filesOfContainer = (container) => filesOf(container, imageFiles);
  const shell = programs(filesOfContainer);
  return {
    ...shell,
    exec: async (container) => {
      const [program = "", ...args] = container.command;
      const printed = isAgnhostProgram(program) ? resolverText(args[0], container.files) : undefined;
      if (printed === undefined) return await shell.exec(container);
      container.stdout.write(`${printed}\n`);
      return 0;
    },
    run: async (container) => {
      if (!isAgnhost(container)) return await shell.run(container);
      const words = agnhostArguments(container);
      const args = words.length === 0 ? defaultArguments : words;
      return await runAgnhost({ ...container, args }, filesOfContainer(container));
    },
  };
}

// The entrypoint of the image is agnhost, which it has twice.
function isAgnhost({ command }) {
  return command.length === 0 || isAgnhostProgram(command[0]);
}

function isAgnhostProgram(program) {
  return /(?:^|\/)agnhost(?:-2)?$/u.test(program);
}

function agnhostArguments({ command, args }) {
  return [...command.slice(1), ...args];
}

/** Runs the command of a container, and those of exec, in a simulated shell. */
function programs(filesOf) {
  const run = async (container, argv, stdin) =>
    await runProgram(argv, {
      env: container.env,
      files: filesOf(container),
      identity: identityOf(container),
      signal: container.signal,
      network: container,
      stdin,
      out: (text) => container.stdout.write(text),
      err: (text) => container.stderr.write(text),
    });
  return {
    probes: true,
    lifecycleHooks: true,
    run: async (container) => {
      const argv = [...container.command, ...container.args];
      return argv.length === 0 ? 0 : await run(container, argv, "");
    },
    exec: async (container) => await run(container, container.command, ""),
  };
}

// The program of the image has the set-user-ID bit of root.
function printRaisedUser(container) {
  container.log(`Effective uid: ${String(raisedUser(identityOf(container)))}`);
}

async function untilStopped({ signal }) {
  if (!signal.aborted) await once(signal, "abort");
  return 0;
}
