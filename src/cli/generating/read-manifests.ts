import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import path from "node:path";

import { readYamlDocuments } from "@kubescaffold/k8s/yaml";

import { failureReason } from "../../http/errors.ts";
import { request, type Send, type Timeouts } from "../../http/request.ts";
import { DownloadError, InputError } from "../command/errors.ts";
import type { Terminal } from "../command/terminal.ts";
import { entriesOf, inputKind, unreadable } from "../flags/input-paths.ts";

/** The documents of one text, and where it comes from. */
export interface ManifestText {
  readonly source: string;
  readonly text: string;
  readonly documents: readonly unknown[];
}

/** What reading needs of its surroundings. */
export interface ReadManifestsOptions {
  readonly cwd: string;
  readonly terminal: Terminal;
  /** Sends one request and follows no redirect, by default over the network. */
  readonly request?: Send;
}

/**
 * Reads manifests from a file, a folder and its folders, an http(s) address, or `-` for standard input.
 *
 * Fails: `InputError`, `DownloadError`, `YamlError`.
 */
export async function readManifests(input: string, options: ReadManifestsOptions): Promise<readonly ManifestText[]> {
  if (input.trim() === "") {
    throw new InputError("cannot read an input with an empty name", {
      hint: "specify a file, a folder, or a URL, or . for this folder",
    });
  }
  if (input === "-") return [parse("standard input", await readStandardInput(options.terminal))];
  if (/^https?:\/\//u.test(input)) return [parse(input, await download(input, options))];
  if (/^[a-z][a-z\d+.-]+:\/\//iu.test(input))
    throw new InputError(`cannot read ${input}: only http and https URLs are supported`, {
      hint: "download it with another tool, and specify the file",
    });
  return filesOf(input, options.cwd).map((file) => parse(file, readText(path.resolve(options.cwd, file), file)));
}

function parse(source: string, text: string): ManifestText {
  return { source, text, documents: readYamlDocuments(text, { file: source }) };
}

async function readStandardInput({ readIn }: Terminal): Promise<string> {
  const text = (await readIn?.()) ?? "";
  if (text.trim() !== "") return text;
  throw new InputError("cannot read standard input: it is empty", {
    hint: "pipe a manifest into the command, such as the output of `kubectl get crd NAME -o yaml`",
  });
}

const MOST_BYTES = 64 * 1024 ** 2;
const TIMEOUTS: Timeouts = { headersMs: 30_000, idleMs: 30_000 };

async function download(url: string, { request: send = fetch }: ReadManifestsOptions): Promise<string> {
  const wanted = { url: addressOf(url), maxBytes: MOST_BYTES, timeouts: TIMEOUTS };
  const { isOk, status, headers, bytes } = await request(send, wanted).catch((cause: unknown) => {
    throw new DownloadError(`cannot download ${url}: ${failureReason(cause)}`, {
      hint: "check the URL and the network, or download the file and specify its path",
      cause,
    });
  });
  if (!isOk) {
    const text = `${String(status)} ${STATUS_CODES[status] ?? ""}`.trimEnd();
    throw new DownloadError(`cannot download ${url}: the server responded with ${text}`, {
      hint: "open the URL in a browser; it must return the manifest without a login",
    });
  }
  if (headers.get("content-type")?.startsWith("text/html") === true) {
    throw new DownloadError(`cannot import ${url}: the response is a web page`, {
      hint: "specify the URL of the raw file",
    });
  }
  return new TextDecoder().decode(bytes);
}

function addressOf(url: string): URL {
  if (URL.canParse(url)) return new URL(url);
  throw new DownloadError(`cannot download ${url}: it is not a URL`, { hint: "fix the URL" });
}

function filesOf(input: string, cwd: string): readonly string[] {
  const target = path.resolve(cwd, input);
  if (inputKind(target, input) !== "folder") return [input];
  const files = manifestsBelow(target, input).map((file) => path.join(input, path.relative(target, file)));
  if (files.length > 0) return files;
  throw new InputError(`cannot import ${input}: the folder has no .yaml, .yml or .json file`, {
    hint: "specify the folder of the manifests",
  });
}

function manifestsBelow(folder: string, shown: string): readonly string[] {
  const entries = entriesOf(folder, shown).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory())
      return /^\.|^node_modules$/u.test(entry.name) ? [] : manifestsBelow(target, path.join(shown, entry.name));
    return entry.isFile() && /\.(?:ya?ml|json)$/u.test(entry.name) ? [target] : [];
  });
}

function readText(target: string, shown: string): string {
  try {
    return readFileSync(target, "utf8");
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}
