import { expect, it } from "vitest";

import { listFiles, readSource } from "../architecture/source-files.ts";

const PLACES = ["docs", "examples", "plugins", "templates", "src", "test/golden/projects"];

// A recorder creates an event, and patches it when it is repeated.
it("every marker for events grants create and patch", () => {
  const markers = PLACES.flatMap((folder) => listFiles(folder))
    .filter((file) => /\.(?:hbs|md|ts)$/u.test(file))
    .flatMap((file) =>
      [...readSource(file).matchAll(/\+kubebuilder:rbac:\S*\bresources=events,\S*/gu)].map(([text]) => ({
        file,
        text,
      })),
    );
  expect(markers.length).toBeGreaterThan(10);
  for (const { file, text } of markers) {
    const verbs = /verbs=(?<verbs>[a-z;]+)/u.exec(text)?.groups?.["verbs"]?.split(";") ?? [];
    expect([file, verbs]).toEqual([file, expect.arrayContaining(["create", "patch"])]);
  }
});
