import { createHash } from "node:crypto";
import { STATUS_CODES } from "node:http";
import path from "node:path";

import { failureReason } from "../../../http/errors.ts";
import { request } from "../../../http/request.ts";
import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import type { Invocation } from "../../command/command.ts";
import { DownloadError, ProgramNotFoundError } from "../../command/errors.ts";
import { type Program, runProgram } from "../../programs/run-program.ts";
import { installedKind } from "./kind.ts";

const VERSION = "v0.30.0";
// The page of the release lists the checksums: change both together.
const SHA256: Readonly<Record<string, string>> = {
  "linux-amd64": "517ab7fc89ddeed5fa65abf71530d90648d9638ef0c4cde22c2c11f8097b8889",
  "linux-arm64": "7ea2de9d2d190022ed4a8a4e3ac0636c8a455e460b9a13ccf19f15d07f4f00eb",
  "darwin-amd64": "4f0b6e3b88bdc66d922c08469f05ef507d4903dd236e6319199bb9c868eed274",
  "darwin-arm64": "ceaf40df1d1551c481fb50e3deb5c3deecad5fd599df5469626b70ddf52a1518",
};
// Some five times the size of the program.
const MOST_BYTES = 64 * 1024 ** 2;
const DOWNLOADS = "https://github.com/kubernetes-sigs/kind/releases/download";

/** Downloads kind into `bin/` unless there is one. */
export async function runInstallKind({ kind }: { readonly kind: Program }, invocation: Invocation): Promise<number> {
  if (await isInstalled(kind, invocation)) return 0;
  const platform = `${process.platform}-${process.arch.replace("x64", "amd64")}`;
  const expected = SHA256[platform];
  if (expected === undefined) {
    throw new DownloadError(`cannot download kind ${VERSION}: no checksum is known for ${platform}`, {
      hint: "install kind, or pass its path with --kind or KIND",
    });
  }
  const url = `${process.env["KIND_DOWNLOADS"] || DOWNLOADS}/${VERSION}/kind-${platform}`;
  const program = await download(url);
  const found = createHash("sha256").update(program).digest("hex");
  if (found !== expected) {
    throw new DownloadError(`${url} is not kind ${VERSION}: its SHA-256 is ${found}, not ${expected}`, {
      hint: "try again, or set another mirror with KIND_DOWNLOADS; nothing was installed",
    });
  }
  await install(invocation, program);
  return 0;
}

async function isInstalled(kind: Program, invocation: Invocation): Promise<boolean> {
  try {
    return (await runProgram(kind, ["version"], { invocation })) === 0;
  } catch (error) {
    if (error instanceof ProgramNotFoundError) return false;
    throw error;
  }
}

async function download(url: string): Promise<Uint8Array> {
  const hint = "check the network, or set a mirror with KIND_DOWNLOADS";
  if (!URL.canParse(url)) throw new DownloadError(`cannot download ${url}: it is not a URL`, { hint });
  const answer = await request(fetch, { url: new URL(url), maxBytes: MOST_BYTES }).catch((cause: unknown) => {
    throw new DownloadError(`cannot download ${url}: ${failureReason(cause)}`, { hint, cause });
  });
  if (answer.isOk) return answer.bytes;
  const status = `${String(answer.status)} ${STATUS_CODES[answer.status] ?? ""}`.trimEnd();
  throw new DownloadError(`cannot download ${url}: ${status}`, { hint });
}

async function install({ cwd, terminal }: Invocation, program: Uint8Array): Promise<void> {
  const file = path.relative(cwd, installedKind(cwd));
  await writeOwnFile({ root: cwd, path: file.replaceAll("\\", "/"), content: program, mode: 0o755 });
  terminal.writeOut(`${file}\n`);
}
