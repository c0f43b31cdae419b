import { expect, it } from "vitest";

import { listFiles, readSource } from "./source-files.ts";

it("each page that uses etcd and kube-apiserver describes how to get them, or links to the page that does", () => {
  const pages = listFiles("docs").filter((file) => file.endsWith(".md") && !file.startsWith("docs/recordings/"));
  const using = pages.filter((file) => readSource(file).includes("KUBESCAFFOLD_ENVTEST_BACKEND=binaries"));
  expect(using.length).toBeGreaterThan(5);
  const silent = using.filter((file) => !/downloadBinaryAssets|#the-real-api-server/u.test(readSource(file)));
  expect(silent).toEqual([]);
});
