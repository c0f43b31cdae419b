// Runs once after the container is created: installs dependencies and kind, waits for Docker, and prints versions.
import { spawnSync } from "node:child_process";
import console from "node:console";
import { setTimeout as delay } from "node:timers/promises";

run("npm", ["install"]);
run("npm", ["run", "--silent", "install-kind"]);
const isUp = await dockerAnswers(30);
console.log(isUp ? "Docker is ready" : "Docker is not ready yet; wait before you build images");
run("npx", ["scaffold", "version"]);
run("kubectl", ["version", "--client"]);

function run(program, args) {
  const { status } = spawnSync(program, args, { stdio: "inherit" });
  if (status !== 0) console.log(`${program} ${args.join(" ")} failed`);
}

async function dockerAnswers(seconds) {
  for (let waited = 0; waited < seconds; waited += 1) {
    if (spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0) return true;
    await delay(1000);
  }
  return false;
}
