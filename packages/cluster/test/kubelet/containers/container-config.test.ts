import type { Pod, VolumeMount } from "@kubescaffold/k8s/core/v1";
import { expect, it } from "vitest";

import type { ObjectReader } from "../../../../apiserver/src/storage/object-reader.ts";
import { containerConfig } from "../../../src/kubelet/containers/container-config.ts";

const NO_OBJECTS = { get: () => undefined, list: () => [] } as unknown as ObjectReader;

function pathsOf(volumeMounts: VolumeMount[]): readonly string[] {
  const container = { name: "main", image: "i", volumeMounts };
  const pod = {
    metadata: { namespace: "ns", name: "p" },
    spec: { containers: [container], volumes: [{ name: "node", hostPath: { path: "/etc/hosts" } }] },
  } as unknown as Pod;
  const { files } = containerConfig({ container, pod, objects: NO_OBJECTS, tokenFor: () => undefined });
  return [...files.keys()].filter((path) => path.startsWith("/etc/"));
}

it("writes the file of hosts unless the container mounts one there", () => {
  expect(pathsOf([])).toEqual(["/etc/hosts", "/etc/resolv.conf"]);
  expect(pathsOf([{ name: "node", mountPath: "/etc/hosts-original" }])).toContain("/etc/hosts");
  expect(pathsOf([{ name: "node", mountPath: "/etc/hosts" }])).toEqual(["/etc/resolv.conf"]);
});
