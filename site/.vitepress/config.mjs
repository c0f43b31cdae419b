import { readFileSync } from "node:fs";

import { slug } from "github-slugger";
import { withMermaid } from "vitepress-plugin-mermaid";

// What build.mjs found in the pages.
const { base, versions, repository, sidebar, apiSidebar } = JSON.parse(
  readFileSync(new URL("../.work/site.json", import.meta.url), "utf8"),
);

export default withMermaid({
  title: "Kubescaffold",
  description: "Kubernetes operators in TypeScript",
  base,
  srcDir: ".work/pages",
  outDir: "dist",
  cacheDir: ".work/cache",
  cleanUrls: true,
  // Otherwise each page contains a table of all pages.
  metaChunk: true,
  // Dead links fail the build.
  ignoreDeadLinks: false,
  markdown: {
    // The anchors that the pages have on GitHub.
    anchor: { slugify: (text) => slug(text) },
    // Braces of templates are text, not expressions of Vue.
    config: (md) => {
      for (const rule of ["text", "code_inline"]) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...args) => render(...args).replaceAll("{{", "&#123;&#123;");
      }
    },
  },
  vite: { build: { chunkSizeWarningLimit: 4096 } },
  themeConfig: {
    nav: [
      { text: "Tutorials", link: "/tutorials/guestbook", activeMatch: "^/tutorials/" },
      { text: "Guides", link: "/guides/testing-levels", activeMatch: "^/guides/" },
      { text: "Reference", link: "/reference/cli", activeMatch: "^/reference/" },
      { text: "API", link: "/api/", activeMatch: "^/api/" },
      { text: "Examples", link: "/start/examples", activeMatch: "^/start/examples" },
      versions,
    ],
    sidebar: { "/api/": apiSidebar, "/": sidebar },
    socialLinks: [{ icon: "github", link: repository }],
    outline: [2, 3],
    search: {
      provider: "local",
      options: {
        // The reference has a page for each symbol: its titles are enough.
        _render: (source, env, md) => {
          const text = env.relativePath.startsWith("api/") ? (/^# .+$/mu.exec(source)?.[0] ?? "") : source;
          return md.render(text, env);
        },
      },
    },
  },
});
