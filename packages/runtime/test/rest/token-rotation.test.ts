import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { SelfSubjectReview } from "@kubescaffold/k8s/authentication/v1";
import { ServiceAccount } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, expect, it } from "vitest";

import { createClient } from "../../src/client/create-client.ts";

const LIVENESS = { timeout: 150_000 };
const environment = new Environment();
const folder = await mkdtemp(path.join(tmpdir(), "token-rotation-"));

afterAll(async () => {
  await environment.stop();
  await rm(folder, { recursive: true });
});

function tokenOf({ credentials }: RestConfig): string {
  if (credentials?.kind !== "token") throw new TypeError("the config has no token");
  return credentials.token;
}

it(
  "row 49: requests use a new token within a minute, and at once if the server rejects the previous one",
  LIVENESS,
  async () => {
    const config = await environment.start();
    const [first, second, third] = await Promise.all(
      ["first", "second", "third"].map(
        async (name) => await environment.addServiceAccount({ namespace: "default", name }),
      ),
    );
    const file = path.join(folder, "token");
    const clock = new FakeClock();
    const client = createClient({ ...config, credentials: { kind: "token-file", path: file } }, { clock });
    const user = async (): Promise<string | undefined> =>
      (await client.create(SelfSubjectReview.create({ metadata: {} }))).status?.userInfo?.username;
    await writeFile(file, tokenOf(first as RestConfig));
    expect(await user()).toBe("system:serviceaccount:default:first");
    await writeFile(file, tokenOf(second as RestConfig));
    expect(await user()).toBe("system:serviceaccount:default:first");
    clock.step(60_000);
    expect(await user()).toBe("system:serviceaccount:default:second");
    await createClient(config).delete(ServiceAccount.create({ metadata: { namespace: "default", name: "second" } }));
    await writeFile(file, tokenOf(third as RestConfig));
    // An API server remembers for a few seconds that a token was valid.
    await expect.poll(user, { timeout: 120_000 }).toBe("system:serviceaccount:default:third");
  },
);
