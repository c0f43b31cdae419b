import { describe, expect, it } from "vitest";

import type { Terminal } from "../../../src/cli/command/terminal.ts";
import { readManifests } from "../../../src/cli/generating/read-manifests.ts";
import type { Send } from "../../../src/http/request.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

function terminalWith(input: string): Terminal {
  return { isInteractive: false, writeOut: () => undefined, writeError: () => undefined, readIn: async () => input };
}

function options(cwd: string, more: { readonly input?: string; readonly answer?: Send } = {}) {
  const { input = "", answer } = more;
  return { cwd, terminal: terminalWith(input), ...(answer === undefined ? {} : { request: answer }) };
}

describe("reading manifests", () => {
  it("reads a file with several documents", async () => {
    const cwd = temporaryFolder();
    writeFiles(cwd, { "a.yaml": "a: 1\n---\nb: 2\n" });
    expect(await readManifests("a.yaml", options(cwd))).toEqual([
      { source: "a.yaml", text: "a: 1\n---\nb: 2\n", documents: [{ a: 1 }, { b: 2 }] },
    ]);
  });

  it("reads the manifests of a folder and its folders, in order, and nothing else", async () => {
    const cwd = temporaryFolder();
    writeFiles(cwd, {
      "in/b.yml": "b: 1",
      "in/a/z.json": '{"a":1}',
      "in/readme.md": "# no",
      "in/.hidden/x.yaml": "x: 1",
      "in/node_modules/x.yaml": "x: 1",
    });
    const found = await readManifests("in", options(cwd));
    expect(found.map(({ source }) => source.replaceAll("\\", "/"))).toEqual(["in/a/z.json", "in/b.yml"]);
  });

  it("reads standard input, which must not be empty", async () => {
    expect(await readManifests("-", options(".", { input: "a: 1" }))).toEqual([
      { source: "standard input", text: "a: 1", documents: [{ a: 1 }] },
    ]);
    await expect(readManifests("-", options("."))).rejects.toThrow("cannot read standard input: it is empty");
  });

  it("reads an address", async () => {
    const answer = async (): Promise<Response> => new Response("a: 1", { headers: { "content-type": "text/plain" } });
    const url = "https://example.com/crd.yaml";
    expect(await readManifests(url, options(".", { answer }))).toEqual([
      { source: url, text: "a: 1", documents: [{ a: 1 }] },
    ]);
  });

  it.each([
    [async () => new Response("", { status: 404, statusText: "Not Found" }), "the server responded with 404 Not Found"],
    [async () => new Response("<html>", { headers: { "content-type": "text/html" } }), "the response is a web page"],
    [async () => Promise.reject(new TypeError("fetch failed", { cause: new Error("no such host") })), "no such host"],
    [async () => Promise.reject(new DOMException("timed out", "TimeoutError")), "timed out"],
  ] as const)("explains a download that fails (%#)", async (answer, why) => {
    await expect(readManifests("https://example.com/a", options(".", { answer }))).rejects.toMatchObject({
      code: "CLI_DOWNLOAD",
      message: expect.stringContaining(why),
    });
  });

  it("explains what it cannot read", async () => {
    const cwd = temporaryFolder();
    writeFiles(cwd, { "empty/readme.md": "", "bad.yaml": "a: [" });
    await expect(readManifests("gone.yaml", options(cwd))).rejects.toThrow(
      "cannot read gone.yaml: no such file or folder",
    );
    await expect(readManifests("empty", options(cwd))).rejects.toThrow("the folder has no .yaml, .yml or .json file");
    await expect(readManifests("ftp://x/y", options(cwd))).rejects.toThrow("only http and https URLs are supported");
    await expect(readManifests("bad.yaml", options(cwd))).rejects.toThrow("bad.yaml");
  });
});

describe("reading manifests from a hostile server", () => {
  it("never leaves HTTPS for HTTP", async () => {
    const asked: string[] = [];
    const answer: Send = async (url) => {
      asked.push(url);
      return new Response("", { status: 302, headers: { location: "http://example.com/crd.yaml" } });
    };
    await expect(readManifests("https://example.com/a", options(".", { answer }))).rejects.toMatchObject({
      code: "CLI_DOWNLOAD",
      message: expect.stringContaining("redirects to example.com without encryption"),
    });
    expect(asked).toEqual(["https://example.com/a"]);
  });

  it("reads no more than 64 MiB", async () => {
    const answer: Send = async () => new Response("a: 1", { headers: { "content-length": String(2 ** 26 + 1) } });
    await expect(readManifests("https://example.com/a", options(".", { answer }))).rejects.toMatchObject({
      code: "CLI_DOWNLOAD",
      message: expect.stringContaining("the response exceeds 67108864 bytes"),
    });
  });

  it("refuses an address that is none", async () => {
    await expect(readManifests("https://[", options("."))).rejects.toMatchObject({ code: "CLI_DOWNLOAD" });
  });
});
