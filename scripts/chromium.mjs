// Finds Chromium for the browser tests of the dashboard, and installs it where CI may: on Debian, as root.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import path from "node:path";

const VARIABLE = "KUBESCAFFOLD_CHROMIUM";
const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];
const INSTALL_LIMIT_MS = 240_000;

/** What Chromium is started with: without a display, and without requests of its own. */
export const CHROMIUM_ARGUMENTS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Returns the path of Chromium: the value of KUBESCAFFOLD_CHROMIUM, or a program on the PATH; undefined if there is none. */
export function chromiumPath() {
  const given = process.env[VARIABLE];
  if (given !== undefined && given !== "") return isExecutable(given) ? given : undefined;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(isExecutable);
}

/** Installs Debian's Chromium where it is missing and can be installed. Returns its path, or undefined with the reason printed. */
export function ensureChromium() {
  const found = chromiumPath();
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0 || !isDebian()) {
    console.log("Chromium is missing, and is only installed on Debian, as root.");
    return undefined;
  }
  console.log("Installing Chromium with apt-get …");
  const isInstalled = aptGet("update") && aptGet("install", "--yes", "--no-install-recommends", "chromium");
  if (!isInstalled) console.log("apt-get could not install Chromium.");
  return isInstalled ? chromiumPath() : undefined;
}

function aptGet(...args) {
  const { status } = spawnSync("apt-get", ["-qq", "-o", "DPkg::Lock::Timeout=60", ...args], {
    stdio: ["ignore", "ignore", "inherit"],
    timeout: INSTALL_LIMIT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  return status === 0;
}

function isDebian() {
  return existsSync("/etc/os-release") && /^ID=debian$/mu.test(readFileSync("/etc/os-release", "utf8"));
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
