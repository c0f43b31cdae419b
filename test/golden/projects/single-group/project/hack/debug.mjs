/*
Copyright <year> Acme.
*/

// Lets a debugger of this machine look into the manager that runs in the cluster of the current kubeconfig, without starting it anew.
//
//   node hack/debug.mjs               then attach to localhost:9229; "sources" of the image lie at / as those of the project lie here
//
// It opens the inspector of Node inside the Pod, to be reached there and through kubectl alone. It stays open until the Pod is replaced.
// POD names the Pod where there are several, NAMESPACE where it is, PORT the port here, KUBECTL the program. A manager that is held at a
// breakpoint answers no probe and keeps no lease: after about a minute its Pod is started anew.
import { spawnSync } from "node:child_process";

const kubectl = process.env.KUBECTL || "kubectl";
const namespace = process.env.NAMESPACE || "harbor-system";
const port = process.env.PORT || "9229";
const OPEN_INSPECTOR = ["/nodejs/bin/node", "--eval", "process.kill(1, 'SIGUSR1')"];

try {
  const pod = process.env.POD || findPod();
  call("exec", "--namespace", namespace, pod, "--container", "manager", "--", ...OPEN_INSPECTOR);
  console.log(`the inspector of ${pod} is at localhost:${port}; Ctrl+C ends the connection`);
  call("port-forward", "--namespace", namespace, pod, `${port}:9229`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function findPod() {
  const labels = "control-plane=controller-manager,app.kubernetes.io/name=harbor";
  const running = "--field-selector=status.phase=Running";
  const { status, stdout } = spawn(
    ["get", "pods", "--namespace", namespace, "--selector", labels, running, "--output", "name"],
    "pipe",
  );
  const [pod, ...others] = (stdout ?? "").split("\n").filter((line) => line !== "");
  if (status !== 0) throw new Error(`cannot list the Pods of the namespace ${namespace}`);
  if (pod === undefined)
    throw new Error(
      `no Pod with the labels ${labels} is running in the namespace ${namespace}: NAMESPACE names another`,
    );
  if (others.length > 0) throw new Error(`there are several: set POD to one of ${[pod, ...others].join(", ")}`);
  return pod;
}

function call(...args) {
  const { status, signal } = spawn(args, "inherit");
  if (status !== 0 && signal === null) throw new Error(`${kubectl} ${args.join(" ")} did not succeed`);
}

function spawn(args, stdout) {
  const result = spawnSync(kubectl, args, { encoding: "utf8", stdio: ["inherit", stdout, "inherit"] });
  if (result.error === undefined) return result;
  const reason = result.error.code === "ENOENT" ? "there is no such program" : result.error.message;
  throw new Error(`cannot run ${kubectl}: ${reason}; install kubectl, or name it with KUBECTL`);
}
