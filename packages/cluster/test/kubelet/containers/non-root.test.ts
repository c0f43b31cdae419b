import type { Pod } from "@kubescaffold/k8s/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { PODS, simulation, type Simulation } from "./pod-fixtures.ts";

let tools: Simulation;

beforeEach(() => {
  tools = simulation();
});

afterEach(async () => tools.cluster.close());

async function waitingOf(name: string): Promise<readonly unknown[]> {
  const { metadata, status } = (await tools.admin.get(`${PODS}/${name}`)).body as unknown as Pod;
  const waiting = status?.containerStatuses?.[0]?.state?.waiting;
  return [status?.phase, waiting?.reason, waiting?.message?.replace(metadata.uid ?? "", "<uid>")];
}

async function run(user: string | undefined, container: object, pod: object): Promise<readonly unknown[]> {
  tools.cluster.images.define("app:*", user === undefined ? {} : { user });
  await tools.run("p", { securityContext: container }, { securityContext: pod });
  return await waitingOf("p");
}

// The messages are those of kubelet 1.35.
const PLACE = '(pod: "p_default(<uid>)", container: c)';

describe("runAsNonRoot", () => {
  it.each([
    ["the user of the Pod is root", "1000", {}, { runAsNonRoot: true, runAsUser: 0 }],
    ["the user of the container is root", undefined, { runAsUser: 0 }, { runAsNonRoot: true, runAsUser: 7 }],
  ] as const)("keeps a container from starting when %s", async (_title, user, container, pod) => {
    expect(await run(user, container, pod)).toEqual([
      "Pending",
      "CreateContainerConfigError",
      `container's runAsUser breaks non-root policy ${PLACE}`,
    ]);
  });

  it.each([
    ["0", "container has runAsNonRoot and image will run as root"],
    ["", "container has runAsNonRoot and image will run as root"],
    ["0:1000", "container has runAsNonRoot and image will run as root"],
    ["nginx", "container has runAsNonRoot and image has non-numeric user (nginx), cannot verify user is non-root"],
    [
      "2147483648",
      "container has runAsNonRoot and image has an invalid user id (2147483648). (Must be 1-(2147483647)): must be between 0 and 2147483647, inclusive",
    ],
  ])("keeps a container of an image with the user %j from starting", async (user, message) => {
    expect(await run(user, { runAsNonRoot: true }, {})).toEqual([
      "Pending",
      "CreateContainerConfigError",
      `${message} ${PLACE}`,
    ]);
  });

  it.each([
    ["the user of the image is not root", "65532:65532", { runAsNonRoot: true }, {}],
    ["the user of the image is unknown", undefined, { runAsNonRoot: true }, {}],
    ["the Pod states another user", "0", { runAsNonRoot: true }, { runAsUser: 5 }],
    ["the container precedes the Pod", "0", { runAsNonRoot: false }, { runAsNonRoot: true }],
  ] as const)("lets a container start when %s", async (_title, user, container, pod) => {
    expect(await run(user, container, pod)).toEqual(["Running", undefined, undefined]);
  });
});
