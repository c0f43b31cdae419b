import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, it } from "vitest";

import { createApiServer } from "../../../src/server/create-api-server.ts";
import { CONFIG_MAPS } from "../../support/test-server.ts";

// Creates two ConfigMaps, one after the other, and prints each answer.
const CLIENT = `
for (const name of ["first", "second"]) {
  const body = JSON.stringify({ metadata: { name } });
  const { status } = await fetch(process.argv[1], { method: "POST", headers: { "content-type": "application/json" }, body });
  console.log(name, status);
}
`;

it("ends a process between two of its writes: the first is stored, and the process has no answer", async () => {
  const server = createApiServer();
  const { url } = await server.listen();
  try {
    const client = spawn(process.execPath, ["--input-type=module", "--eval", CLIENT, "--", url + CONFIG_MAPS], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    client.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    const exit = once(client, "exit");
    server.onWrite({ resource: "configmaps", name: "first" }, 1, async () => {
      client.kill("SIGKILL");
      await exit;
      return "lose" as const;
    });
    expect(await exit).toEqual([null, "SIGKILL"]);
    await server.quiet({ ms: 50 });
    const { items } = (await (await fetch(url + CONFIG_MAPS)).json()) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    expect([output, items.map(({ metadata }) => metadata.name)]).toEqual(["", ["first"]]);
  } finally {
    await server.close();
  }
});
