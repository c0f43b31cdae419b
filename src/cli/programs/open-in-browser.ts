import process from "node:process";

import { execa } from "execa";

/** Opens a URL in the user's browser; returns false if no program for that is there. */
export async function openInBrowser(url: string, platform: NodeJS.Platform = process.platform): Promise<boolean> {
  const [program, ...args] = browserCommand(url, platform);
  try {
    await execa(program, args, { stdio: "ignore", timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** Returns the command that opens a URL on a platform. */
export function browserCommand(url: string, platform: NodeJS.Platform): readonly [string, ...string[]] {
  // `start` is a command of the shell there, in which `&` would end the URL.
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url];
  return [platform === "darwin" ? "open" : "xdg-open", url];
}
