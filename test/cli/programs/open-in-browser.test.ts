import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { browserCommand, PrivateBrowser } from "../../../src/cli/programs/open-in-browser.ts";
import { hasOtherUser, OTHER_USER_PROGRAM, type OthersView } from "../../support/other-user.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const SECRET = "rV8-one-time";
const URL_WITH_QUERY = `http://127.0.0.1:1/base/?token=${SECRET}&b=c`;

it.each<[NodeJS.Platform, readonly string[]]>([
  ["linux", ["xdg-open", "/tmp/a/open.html"]],
  ["darwin", ["open", "/tmp/a/open.html"]],
  ["win32", ["rundll32", "url.dll,FileProtocolHandler", "file:///tmp/a/open.html"]],
])("opens a file on %s as one argument", (platform, command) => {
  expect(browserCommand("/tmp/a/open.html", platform)).toEqual(command);
});

it("reports that no program opens files", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PATH", "");
  const browser = new PrivateBrowser();
  onTestFinished(() => browser.close());
  expect(await browser.open(URL_WITH_QUERY)).toBe(false);
});

describe.runIf(process.platform === "linux")("a secret URL", () => {
  /** Makes `xdg-open` a program that runs a script of Node. */
  async function openerThat(script: string): Promise<{ readonly browser: PrivateBrowser; readonly folder: string }> {
    const folder = temporaryFolder();
    // Others may look into it, as into /tmp.
    await chmod(folder, 0o755);
    await mkdir(path.join(folder, "temporary"), { mode: 0o755 });
    const program = path.join(folder, "xdg-open");
    await writeFile(program, `#!${process.execPath}\n${script}`);
    await chmod(program, 0o755);
    vi.stubEnv("PATH", folder);
    vi.stubEnv("TMPDIR", path.join(folder, "temporary"));
    onTestFinished(() => void vi.unstubAllEnvs());
    const browser = new PrivateBrowser("linux");
    onTestFinished(() => browser.close());
    return { browser, folder };
  }

  const RECORD = `require("node:fs").writeFileSync(__dirname + "/words.json", JSON.stringify(process.argv.slice(2)));`;

  it("is in a private file in a private folder that leads on to it, and that is removed", async () => {
    const { browser, folder } = await openerThat(RECORD);
    expect(await browser.open(URL_WITH_QUERY)).toBe(true);
    const [file = "", ...others] = JSON.parse(await readFile(path.join(folder, "words.json"), "utf8")) as string[];
    expect(others).toEqual([]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file))).mode & 0o777).toBe(0o700);
    expect(await readFile(file, "utf8")).toContain(`content="0; url=${URL_WITH_QUERY.replace("&", "&amp;")}"`);
    await browser.close();
    await expect(stat(path.dirname(file))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("is in few files, however often it is opened", async () => {
    const { browser, folder } = await openerThat(RECORD);
    const folders: string[] = [];
    for (let count = 0; count < 7; count++) {
      await browser.open(URL_WITH_QUERY);
      const [file = ""] = JSON.parse(await readFile(path.join(folder, "words.json"), "utf8")) as string[];
      folders.push(path.dirname(file));
    }
    const left = await Promise.allSettled(folders.map((each) => stat(each)));
    expect(left.map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
      ...Array.from({ length: 5 }, () => "fulfilled"),
    ]);
  });

  it.skipIf(!hasOtherUser)("is read by no other user of the machine", async () => {
    const { browser, folder } = await openerThat(`
      const { execFileSync } = require("node:child_process");
      const file = process.argv[2];
      const view = execFileSync(process.execPath, [${OTHER_USER_PROGRAM}, file, require("node:path").dirname(file)], {
        uid: 65534, gid: 65534, cwd: "/", env: {}, maxBuffer: 2 ** 28,
      });
      require("node:fs").writeFileSync(__dirname + "/view.json", view);
    `);
    expect(await browser.open(URL_WITH_QUERY)).toBe(true);
    const view = JSON.parse(await readFile(path.join(folder, "view.json"), "utf8")) as OthersView;
    // The opener itself is in the list.
    expect(view.arguments).toContain("open.html");
    expect(view.arguments).not.toContain(SECRET);
    expect(view.environments).not.toContain(SECRET);
    expect(view.closedEnvironments).toBeGreaterThan(0);
    expect(Object.values(view.paths)).toEqual(["EACCES", "EACCES"]);
  });
});
