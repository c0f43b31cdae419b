import { expect, it, onTestFinished, vi } from "vitest";

import { browserCommand, openInBrowser } from "../../../src/cli/programs/open-in-browser.ts";

const URL_WITH_QUERY = "http://127.0.0.1:1/?token=a&b=c";

it.each<[NodeJS.Platform, readonly string[]]>([
  ["linux", ["xdg-open", URL_WITH_QUERY]],
  ["darwin", ["open", URL_WITH_QUERY]],
  // A shell would end the URL at the ampersand.
  ["win32", ["rundll32", "url.dll,FileProtocolHandler", URL_WITH_QUERY]],
])("opens a URL on %s as one argument", (platform, command) => {
  expect(browserCommand(URL_WITH_QUERY, platform)).toEqual(command);
});

it("reports that no program opens URLs", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PATH", "");
  expect(await openInBrowser(URL_WITH_QUERY)).toBe(false);
});
