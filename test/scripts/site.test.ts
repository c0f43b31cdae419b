import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

import { describe, expect, it } from "vitest";

import { ENTRY_POINTS } from "../architecture/public-exports.ts";
import { ROOT } from "../architecture/source-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

interface Checks {
  readonly deadLinks: (folder: string, base: string) => readonly string[];
}

interface Pages {
  readonly linksAway: (
    pages: readonly (readonly [file: string, html: string])[],
    site: { readonly has: (file: string) => boolean; readonly repository: string },
  ) => readonly string[];
  readonly pageOf: (file: string) => string;
  readonly sitePage: (
    page: { readonly file: string; readonly text: string },
    where: { readonly root: string; readonly repository: string },
  ) => { readonly text: string; readonly dead: readonly string[] };
}

interface Modules {
  readonly publicModules: (root: string) => Readonly<Record<string, string>>;
}

interface Sidebar {
  readonly sidebarGroups: (readme: string) => readonly {
    readonly title: string;
    readonly pages: readonly { readonly text: string; readonly file: string }[];
  }[];
  readonly titleOfText: (text: string) => string;
}

interface Versions {
  readonly earlierVersions: (tags: readonly string[], present: string) => readonly string[];
  readonly versionMenu: (site: {
    readonly version: string;
    readonly all: readonly string[];
    readonly origin: string | undefined;
    readonly changelog: string;
  }) => { readonly text: string; readonly items: readonly { readonly text: string; readonly link: string }[] };
}

const load = async (name: string): Promise<unknown> => await import(pathToFileURL(path.join(ROOT, "site", name)).href);
const { deadLinks } = (await load("check-links.mjs")) as Checks;
const { publicModules } = (await load("modules.mjs")) as Modules;
const { linksAway, pageOf, sitePage } = (await load("pages.mjs")) as Pages;
const { sidebarGroups, titleOfText } = (await load("sidebar.mjs")) as Sidebar;
const { earlierVersions, versionMenu } = (await load("versions.mjs")) as Versions;

const DOCS = path.join(ROOT, "docs");
const WHERE = { root: ROOT, repository: "https://example.com/repository" };

const rewritten = (text: string, file = "concepts/caches-and-watches.md"): string =>
  sitePage({ file, text }, WHERE).text;

describe("the pages of the site", () => {
  it("link to files outside of docs/ in the repository, and to pages on the site", () => {
    expect(rewritten("[a](../../CONTRIBUTING.md) and [b](../reference/caches.md#reads)")).toBe(
      "[a](https://example.com/repository/blob/main/CONTRIBUTING.md) and [b](../reference/caches.md#reads)",
    );
    expect(rewritten("[`c`](../../examples/guestbook)")).toBe(
      "[`c`](https://example.com/repository/tree/main/examples/guestbook)",
    );
    expect(rewritten("[markers](../reference/markers/README.md)")).toBe("[markers](../reference/markers/index.md)");
    expect(pageOf("reference/markers/README.md")).toBe("reference/markers/index.md");
    expect(pageOf("README.md")).toBe("pages.md");
  });

  it("link to the first page of the site, and to its lists of pages and examples, in place of the files that they come from", () => {
    const text = "[a](../../README.md), [b](../README.md#guides), [c](../../examples)";
    expect(rewritten(text)).toBe("[a](../index.md), [b](../pages.md#guides), [c](../start/examples.md)");
    expect(rewritten("[a](../README.md) and [b](start/tour.md)", "README.md")).toBe(
      "[a](index.md) and [b](start/tour.md)",
    );
  });

  it("do not lead to files of the repository that the site has", () => {
    const page = (href: string): readonly [string, string][] => [
      ["start/tour.html", `<a href="${WHERE.repository}${href}">`],
    ];
    const problems = (href: string): readonly string[] =>
      linksAway(page(href), { has: (file) => file === "reference/dev.md", repository: WHERE.repository });
    expect(problems("/blob/main/docs/reference/dev.md#keys")).toEqual(["start/tour.html: docs/reference/dev.md"]);
    expect(problems("/blob/main/README.md")).toEqual(["start/tour.html: README.md"]);
    expect(problems("/tree/main/examples")).toEqual(["start/tour.html: examples"]);
    expect(problems("/blob/main/docs/none.md")).toEqual([]);
    expect(problems("/tree/main/examples/guestbook")).toEqual([]);
  });

  it("keep recordings and screenshots", () => {
    expect(rewritten("![a](../recordings/dev.svg)", "reference/dev.md")).toBe("![a](../recordings/dev.svg)");
    const screenshot = "![a](../screenshots/objects-light.webp)";
    expect(rewritten(screenshot, "guides/debugging.md")).toBe(screenshot);
    const { dead } = sitePage({ file: "reference/dev.md", text: "![a](../recordings/none.svg)" }, WHERE);
    expect(dead).toEqual(["docs/reference/dev.md: ../recordings/none.svg"]);
  });

  it("keep links in code, on the same page, and to other sites", () => {
    const text = [
      "`[a](../../README.md)`",
      "```md",
      "[a](../../README.md)",
      "```",
      "[b](#here)",
      "[c](https://c.example/d)",
    ];
    expect(rewritten(text.join("\n"))).toBe(text.join("\n"));
  });

  it("link blocks that name their file to it", () => {
    const block = "```ts [examples/guestbook/cmd/main.ts]\nconst a = `[b](c)`;\n```";
    expect(rewritten(`${block}\n\ntext`)).toBe(
      `${block}\n\n*Part of [examples/guestbook/cmd/main.ts](https://example.com/repository/blob/main/examples/guestbook/cmd/main.ts)*\n\ntext`,
    );
    expect(rewritten("```ts\nconst a = 1;\n```")).toBe("```ts\nconst a = 1;\n```");
  });

  it("report links to files that do not exist", () => {
    const { dead } = sitePage({ file: "guides/events.md", text: "[a](missing.md) [b](../../no/such/file.ts)" }, WHERE);
    expect(dead).toEqual(["docs/guides/events.md: missing.md", "docs/guides/events.md: ../../no/such/file.ts"]);
  });
});

describe("the links of new projects", () => {
  it("lead to pages that exist, in the repository that package.json names", () => {
    const { repository } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
      readonly repository: { readonly url: string };
    };
    const pages = `${repository.url.replace(/^git\+/u, "").replace(/\.git$/u, "")}/blob/main/docs/`;
    for (const name of ["AGENTS.md.hbs", "README.md.hbs"]) {
      const text = readFileSync(path.join(ROOT, "templates", "init", name), "utf8");
      const files = [...text.matchAll(/https:[^\s)>]+\/docs\/[^\s)>]+/gu)].map(([url]) => url);
      expect(files.filter((url) => !url.startsWith(pages))).toEqual([]);
      expect(files.length).toBeGreaterThan(0);
      expect(files.filter((url) => !existsSync(path.join(DOCS, url.slice(pages.length))))).toEqual([]);
    }
  });
});

describe("the API reference", () => {
  it("has every module that a package exports, except generated API groups of Kubernetes", () => {
    const modules = publicModules(ROOT);
    expect(Object.values(modules).filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
    expect(modules).toMatchObject({
      "@kubescaffold/envtest/kube-apiserver": "packages/envtest/src/kube-apiserver/index.ts",
      "@kubescaffold/k8s/meta/v1": "packages/k8s/src/api/meta/v1.ts",
      "@kubescaffold/runtime": "packages/runtime/src/index.ts",
      "@kubescaffold/schema/structs": "packages/schema/src/structs.ts",
      kubescaffold: "src/index.ts",
      "kubescaffold/plugin": "src/plugin/index.ts",
    });
    // Those whose exports, and their members, have docstrings by another test.
    expect(Object.values(modules).toSorted()).toEqual(ENTRY_POINTS.toSorted());
  });
});

describe("the sidebar", () => {
  const groups = sidebarGroups(readFileSync(path.join(DOCS, "README.md"), "utf8"));

  it("has each page once", () => {
    const pages = readdirSync(DOCS, { recursive: true })
      .map((file) => String(file).replaceAll(path.sep, "/"))
      .filter((file) => file.endsWith(".md") && file !== "README.md" && !/^reference\/markers\/(?!README)/u.test(file));
    expect(groups.flatMap((group) => group.pages.map(({ file }) => file)).toSorted()).toEqual(pages.toSorted());
  });

  it("begins with what a new user reads first", () => {
    expect(groups.slice(0, 4).map(({ title }) => title)).toEqual(["Get started", "Concepts", "Tutorials", "Guides"]);
  });

  it("takes the titles from the pages", () => {
    expect(titleOfText("<!-- note -->\n# The `scaffold dev` command\n\n## Keys\n")).toBe("The scaffold dev command");
  });
});

describe("the guides", () => {
  it.each([
    ["watch mappings", "guides/watch-mappings.md"],
    ["indexes", "guides/indexes.md"],
    ["predicates", "guides/predicates.md"],
    ["events", "guides/events.md"],
    ["conditions", "guides/conditions.md"],
    ["metrics", "guides/metrics.md"],
    ["several namespaces", "guides/several-namespaces.md"],
    ["external types", "guides/external-types.md"],
    ["multi-cluster", "guides/multi-cluster.md"],
    ["server-side apply", "guides/server-side-apply-in-controllers.md"],
    ["webhooks for built-in kinds", "guides/webhooks-for-built-in-kinds.md"],
    ["testing levels", "guides/testing-levels.md"],
    ["debugging", "guides/debugging.md"],
    ["performance tuning", "guides/performance-tuning.md"],
    ["images", "guides/image.md"],
    ["Helm", "guides/helm.md"],
    ["upgrades", "guides/upgrading.md"],
    ["monorepos", "guides/monorepos.md"],
    ["CI recipes", "guides/ci-recipes.md"],
  ])("have a page on %s, with code that a test runs or compiles", (_, file) => {
    const groups = sidebarGroups(readFileSync(path.join(DOCS, "README.md"), "utf8"));
    const guides = groups.find(({ title }) => title === "Guides")?.pages.map((page) => page.file);
    expect(guides).toContain(file);
    expect(readFileSync(path.join(DOCS, file), "utf8")).toMatch(/^```(?:ts|sh|yaml)$/mu);
  });
});

describe("the versions of the site", () => {
  const changelog = "https://example.com/CHANGELOG.md";

  it("are the last releases of the minor versions before the present one, newest first", () => {
    const tags = [
      "v0.1.0",
      "v0.1.9",
      "v0.1.10",
      "v0.2.0-rc.1",
      "v0.9.0",
      "v0.10.0",
      "v0.10.1",
      "v1.0.0",
      "nightly",
      "",
    ];
    expect(earlierVersions(tags, "0.10.2")).toEqual(["0.9.0", "0.1.10"]);
    expect(earlierVersions(tags, "1.1.0")).toEqual(["1.0.0", "0.10.1", "0.9.0", "0.1.10"]);
    expect(earlierVersions([], "0.1.0")).toEqual([]);
  });

  it("are in the menu, which leads to the folder of each", () => {
    const site = { all: ["0.3.0", "0.2.4", "0.1.7"], origin: "https://o.example/r/", changelog };
    expect(versionMenu({ version: "0.3.0", ...site })).toEqual({
      text: "v0.3.0",
      items: [
        { text: "v0.3.0 (this site)", link: "/" },
        { text: "v0.2.4", link: "https://o.example/r/v0.2/", target: "_self" },
        { text: "v0.1.7", link: "https://o.example/r/v0.1/", target: "_self" },
        { text: "Changelog", link: changelog },
      ],
    });
    expect(versionMenu({ version: "0.1.7", ...site }).items.map(({ text, link }) => `${text} ${link}`)).toEqual([
      "v0.1.7 (this site) /",
      "v0.3.0 (latest) https://o.example/r/",
      "v0.2.4 https://o.example/r/v0.2/",
      `Changelog ${changelog}`,
    ]);
  });

  it("are one where nothing else was built", () => {
    const { items } = versionMenu({ version: "0.3.0", all: ["0.3.0", "0.2.4"], origin: undefined, changelog });
    expect(items.map(({ text }) => text)).toEqual(["v0.3.0 (this site)", "Changelog"]);
  });
});

describe("the check of the built site", () => {
  it("finds links to missing pages and headings, also below a base path", () => {
    const folder = temporaryFolder();
    const write = (file: string, html: string): void => {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
      writeFileSync(path.join(folder, file), html);
    };
    write(
      "index.html",
      '<a href="/base/guides/a">ok</a><a class="x" href="/base/guides/a#here">ok</a><a href="/guides/a">no base</a>',
    );
    write("guides/a.html", '<h2 id="here"></h2><a href="./b">gone</a><a href="#there">gone</a><a href="/base/">ok</a>');
    expect(deadLinks(folder, "/base/")).toEqual([
      "index.html: /guides/a",
      "guides/a.html: ./b",
      "guides/a.html: #there",
    ]);
  });

  it("finds images that the site does not contain", () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, "a.svg"), "<svg/>");
    const images = ["/base/a.svg", "./a.svg", "data:image/svg+xml;base64,AA==", "./b.svg", "https://example.com/a.svg"];
    writeFileSync(path.join(folder, "index.html"), images.map((src) => `<img alt="" src="${src}">`).join(""));
    expect(deadLinks(folder, "/base/")).toEqual(["index.html: ./b.svg", "index.html: https://example.com/a.svg"]);
  });
});
