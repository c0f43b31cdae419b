import { describe, expect, it } from "vitest";

import { rewriteLink, rewriteLinks } from "../../../src/kubelet/containers/proxied-links.ts";

const PREFIX = "/api/v1/namespaces/default/pods/web/proxy";

describe("links behind a proxy", () => {
  it("lead through the proxy if they are absolute paths", () => {
    const page = `<a href="/a">/b</a><img class="x" src='/c.png'><a href="d"><a href="//other/e"><a href="https://other/f">`;
    expect(rewriteLinks(page, PREFIX)).toBe(
      `<a href="${PREFIX}/a">/b</a><img class="x" src='${PREFIX}/c.png'><a href="d"><a href="//other/e"><a href="https://other/f">`,
    );
  });

  it("stay if they lead through the proxy", () => {
    expect(rewriteLink(`${PREFIX}/a`, PREFIX)).toBe(`${PREFIX}/a`);
  });
});
