import { fileURLToPath } from "node:url";

import { expect, it } from "vitest";

import { renderMarkerPage } from "../../src/markers/render-marker-page.ts";

it("docs/markers.md is what the definitions say", async () => {
  await expect(renderMarkerPage()).toMatchFileSnapshot(
    fileURLToPath(new URL("../../docs/markers.md", import.meta.url)),
  );
});
