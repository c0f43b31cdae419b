import { expect, it } from "vitest";

import { resolutionOptionsFor } from "../../src/loader/module-resolver.ts";
import { memoryHost } from "../support/memory-host.ts";

it("takes the aliases of the nearest tsconfig.json", () => {
  const host = memoryHost({
    "/p/tsconfig.json": '{ "compilerOptions": { "paths": { "@far": ["./far.ts"] } } }',
    "/p/api/tsconfig.json": '{ "compilerOptions": { "paths": { "@near": ["./near.ts"] } } }',
    "/p/api/v1/types.ts": "",
  });
  expect(resolutionOptionsFor(host, "/p/api/v1/types.ts", "/p")).toEqual({
    paths: { "@near": ["./near.ts"] },
    pathsBasePath: "/p/api",
  });
});

it("lets them start from the base address that the file states", () => {
  const host = memoryHost({
    "/p/tsconfig.json": '{ "compilerOptions": { "baseUrl": "./src", "paths": { "@a": ["a.ts"] } } }',
    "/p/v1/types.ts": "",
  });
  expect(resolutionOptionsFor(host, "/p/v1/types.ts", "/p")).toEqual({ paths: { "@a": ["a.ts"] }, baseUrl: "/p/src" });
});

it("knows none where there is no file, or one that does not parse, or one outside the root", () => {
  const outside = '{ "compilerOptions": { "paths": { "@a": ["a.ts"] } } }';
  const host = memoryHost({ "/tsconfig.json": outside, "/p/v1/types.ts": "", "/p/broken/tsconfig.json": "{ nothing" });
  expect(resolutionOptionsFor(host, "/p/v1/types.ts", "/p")).toEqual({});
  expect(resolutionOptionsFor(host, "/p/broken/types.ts", "/p")).toEqual({});
});
